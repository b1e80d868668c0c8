/** What a quick action is, and what it works on: an issue, a merge request or an epic, or one that is about to be created. */
import type { EpicChanges } from '../../planning/epics/commands.ts'
import type { EpicRow } from '../../planning/epics/queries.ts'
import type { IssueRow } from '../../planning/issues/queries.ts'
import type { IssueChanges } from '../../planning/issues/update.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { MergeRequestRow } from '../../review/merge_requests/queries.ts'
import type { MergeRequestChanges } from '../../review/merge_requests/update.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { TalkedEpic, TalkedIssue, TalkedMergeRequest } from '../notes/noteable.ts'

interface ThingOf<Place, Talked, Row, Changes> {
  readonly place: Place
  readonly talked: Talked
  readonly row: Row
  readonly changes: Changes
}

/** What texts with quick actions are about: where the thing is, the thing, its row, and what is to become of it. */
export interface Things {
  readonly issue: ThingOf<ProjectWithRole, TalkedIssue, IssueRow, IssueChanges>
  readonly merge_request: ThingOf<ProjectWithRole, TalkedMergeRequest, MergeRequestRow, MergeRequestChanges>
  readonly epic: ThingOf<TalkedEpic['group'], TalkedEpic, EpicRow, EpicChanges>
}

export type Noun = keyof Things

/** For actions that work on all of them. */
export const all: readonly Noun[] = ['issue', 'merge_request', 'epic']

/** Those of projects. */
export type ProjectNoun = 'issue' | 'merge_request'

/** For actions that work on both of them. */
export const both: readonly ProjectNoun[] = ['issue', 'merge_request']

/** A thing with what earlier actions of the same text make of it. */
export interface Target<N extends Noun = Noun> {
  readonly ctx: Context
  readonly place: Things[N]['place']
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
export function rowOf<N extends Noun>(talked: Things[N]['talked']): Things[N]['row'] {
  if (talked.type === 'Epic') return talked.epic
  return talked.type === 'Issue' ? talked.issue : talked.mergeRequest
}

/** Changes that clients are told of under the same names, unless given. */
export const change = <C extends Things[Noun]['changes']>(changes: C, told: Readonly<Record<string, unknown>> = { ...changes }) => ({
  changes,
  told,
})
