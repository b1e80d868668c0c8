/** What a quick action is, and what it works on: an issue or a merge request, or one that is about to be created. */
import type { IssueRow } from '../issues/queries.ts'
import type { IssueChanges } from '../issues/update.ts'
import type { Context } from '../kernel/context.ts'
import type { MergeRequestRow } from '../merge_requests/queries.ts'
import type { MergeRequestChanges } from '../merge_requests/update.ts'
import type { TalkedIssue, TalkedMergeRequest } from '../notes/noteable.ts'
import type { ProjectWithRole } from '../projects/scope.ts'

/** What texts with quick actions are about: the thing, its row, and what is to become of it. */
export interface Things {
  readonly issue: { readonly talked: TalkedIssue; readonly row: IssueRow; readonly changes: IssueChanges }
  readonly merge_request: { readonly talked: TalkedMergeRequest; readonly row: MergeRequestRow; readonly changes: MergeRequestChanges }
}

export type Noun = keyof Things

/** For actions that work on both. */
export const both: readonly Noun[] = ['issue', 'merge_request']

/** A thing with what earlier actions of the same text make of it. */
export interface Target<N extends Noun = Noun> {
  readonly ctx: Context
  readonly project: ProjectWithRole
  readonly noun: N
  /** Undefined while it is created. */
  readonly talked: Things[N]['talked'] | undefined
  readonly sofar: Things[N]['changes']
}

/** What one action comes to. */
export interface Effect<N extends Noun = Noun> {
  /** What becomes of the thing's attributes. */
  readonly changes?: Things[N]['changes']
  /** What clients are told, under the public names (`commands_changes`). */
  readonly told?: Readonly<Record<string, unknown>>
  /** What is done once the thing is there and changed. A refusal of it refuses the whole request. */
  after?(ctx: Context, talked: Things[N]['talked']): Promise<void>
  /** What stands at the end of the text in the action's place. */
  readonly text?: string
}

/** A quick action. One that the actor may not use, or with an argument that means nothing, does nothing. */
export interface Action<N extends Noun = Noun> {
  /** What it works on: elsewhere its line is text. */
  readonly on: readonly N[]
  /** Other names of it. */
  readonly names?: readonly string[]
  may(target: Target<N>): boolean | Promise<boolean>
  do(target: Target<N>, argument: string): Effect<N> | undefined | Promise<Effect<N> | undefined>
}

/** The row of a thing. */
export const rowOf = <N extends Noun>(talked: Things[N]['talked']): Things[N]['row'] =>
  talked.type === 'Issue' ? talked.issue : talked.mergeRequest

/** Changes that clients are told of under the same names, unless given. */
export const change = <C extends Things[Noun]['changes']>(changes: C, told: Readonly<Record<string, unknown>> = { ...changes }) => ({
  changes,
  told,
})
