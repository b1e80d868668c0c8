/**
 * The table of quick actions: what a line such as `/close` or `/label ~bug` in a description or a note does, and who
 * may (public behaviour at 14.0). They work by the commands that the API uses; there is no second way.
 */
import type { IssueRow } from '../issues/queries.ts'
import type { IssueChanges } from '../issues/update.ts'
import type { Context } from '../kernel/context.ts'
import type { ProjectWithRole } from '../projects/scope.ts'
import { attributeActions } from './attributes.ts'
import { deedActions } from './deeds.ts'
import { epicActions } from './epics.ts'
import { placeActions } from './relations.ts'
import type { Target } from './targets.ts'

/** What one action comes to. */
export interface Effect {
  /** What becomes of the issue's attributes. */
  readonly changes?: IssueChanges
  /** What clients are told, under the public names (`commands_changes`). */
  readonly told?: Readonly<Record<string, unknown>>
  /** What is done once the issue is there and changed. A refusal of it refuses the whole request. */
  readonly after?: (ctx: Context, project: ProjectWithRole, issue: IssueRow) => Promise<void>
  /** What stands at the end of the text in the action's place. */
  readonly text?: string
}

/** A quick action. One that the actor may not use, or with an argument that means nothing, does nothing. */
export interface Action {
  /** Other names of it. */
  readonly names?: readonly string[]
  may(target: Target): boolean
  do(target: Target, argument: string): Effect | undefined | Promise<Effect | undefined>
}

const table: Readonly<Record<string, Action>> = { ...attributeActions, ...deedActions, ...placeActions, ...epicActions }

/** Every action by each of its names. */
export const actions: ReadonlyMap<string, Action> = new Map(
  Object.entries(table).flatMap(([name, action]) => [name, ...(action.names ?? [])].map(known => [known, action] as const)),
)
