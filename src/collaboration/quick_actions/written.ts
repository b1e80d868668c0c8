/** Creating and changing things by texts that may have quick actions in them. */
import { createEpic, type EpicAttributes, updateEpic } from '../../planning/epics/commands.ts'
import { type EpicRow, epicById } from '../../planning/epics/queries.ts'
import { createIssue, type NewIssue } from '../../planning/issues/creation/create.ts'
import { type IssueRow, issueById } from '../../planning/issues/queries.ts'
import { updateIssue } from '../../planning/issues/update.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Ends } from '../../review/merge_requests/branches.ts'
import { createMergeRequest, type NewMergeRequest } from '../../review/merge_requests/create.ts'
import { type MergeRequestRow, mergeRequestById } from '../../review/merge_requests/queries.ts'
import { updateMergeRequest } from '../../review/merge_requests/update.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { type Noteable, talkedEpic, talkedIssue, talkedMergeRequest } from '../notes/noteable.ts'
import type { Noun, Things } from './action.ts'
import { type Interpretation, interpretQuickActions, labelsOfNew } from './interpret.ts'

type Group = Things['epic']['place']

/** The commands and the reading of a kind of thing. */
interface Kind<N extends Noun> {
  update(ctx: Context, place: Things[N]['place'], row: Things[N]['row'], changes: Things[N]['changes']): Promise<Things[N]['row']>
  /** The thing as it is now. */
  read(ctx: Context, place: Things[N]['place'], id: number): Promise<Things[N]['row']>
  talked(ctx: Context, place: Things[N]['place'], row: Things[N]['row']): Things[N]['talked']
}

const kinds: { readonly [N in Noun]: Kind<N> } = {
  issue: {
    update: updateIssue,
    read: async ({ db }, project, id) => (await issueById(db, id, project.full_path))!,
    talked: talkedIssue,
  },
  merge_request: {
    update: updateMergeRequest,
    read: async ({ db }, project, id) => (await mergeRequestById(db, id, project.full_path))!,
    talked: talkedMergeRequest,
  },
  epic: { update: updateEpic, read: (ctx, group, id) => epicById(ctx, id, group.full_path), talked: talkedEpic },
}

const kindOf = <N extends Noun>(noun: N): Kind<N> => kinds[noun]

/** A thing with the kind and the place that it is of. */
interface Placed<N extends Noun> {
  readonly noun: N
  readonly place: Things[N]['place']
  readonly row: Things[N]['row']
}

/** Does what follows the change, and returns the thing as it is in the end. @throws what the actions refuse */
async function finish<N extends Noun>(
  ctx: Context,
  { noun, place, row }: Placed<N>,
  { after }: Interpretation<N>,
): Promise<Things[N]['row']> {
  const { talked, read } = kindOf(noun)
  let now = row
  for (const act of after) {
    await act(ctx, talked(ctx, place, now))
    now = await read(ctx, place, row.id)
  }
  return now
}

/** Changes a thing and does what the quick actions of its new description say. @throws what its command and the actions refuse */
async function updateAsWritten<N extends Noun>(
  ctx: Context,
  { noun, place, row }: Placed<N>,
  given: Things[N]['changes'],
): Promise<Things[N]['row']> {
  const { update, talked } = kindOf(noun)
  if (!given.description) return update(ctx, place, row, given)
  const target = { ctx, place, noun, talked: talked(ctx, place, row), sofar: given }
  const interpretation = await interpretQuickActions<N>(target, given.description)
  const changed = await update(ctx, place, row, { ...interpretation.changes, description: interpretation.text })
  return finish(ctx, { noun, place, row: changed }, interpretation)
}

/** As `updateAsWritten`, of an issue, a merge request, an epic. */
export const updateIssueAsWritten = (ctx: Context, place: ProjectWithRole, row: IssueRow, given: Things['issue']['changes']) =>
  updateAsWritten(ctx, { noun: 'issue', place, row }, given)
export const updateMergeRequestAsWritten = (
  ctx: Context,
  place: ProjectWithRole,
  row: MergeRequestRow,
  given: Things['merge_request']['changes'],
) => updateAsWritten(ctx, { noun: 'merge_request', place, row }, given)
export const updateEpicAsWritten = (ctx: Context, place: Group, row: EpicRow, given: Things['epic']['changes']) =>
  updateAsWritten(ctx, { noun: 'epic', place, row }, given)

/** What a new thing's description makes of what is given for it. A state is no attribute of what is new. */
async function readNew<N extends Noun, Given extends Things[N]['changes']>(
  ctx: Context,
  { noun, place }: Omit<Placed<N>, 'row'>,
  given: Given & { readonly description: string },
) {
  const target = { ctx, place, noun, talked: undefined, sofar: given as Things[N]['changes'] }
  const interpretation = await interpretQuickActions<N>(target, given.description)
  const { text: description, changes } = interpretation
  const { add_labels: _added, remove_labels: _removed, state_event: _none, ...wanted } = changes
  return { interpretation, wanted: { ...given, ...wanted, labels: labelsOfNew(changes), description } }
}

/** Creates an issue and does what the quick actions of its description say. @throws what createIssue and the actions refuse */
export async function createIssueAsWritten(ctx: Context, place: ProjectWithRole, given: NewIssue): Promise<IssueRow> {
  const { description } = given
  if (!description) return createIssue(ctx, place, given)
  const { interpretation, wanted } = await readNew(ctx, { noun: 'issue', place }, { ...given, description })
  return finish(ctx, { noun: 'issue', place, row: await createIssue(ctx, place, wanted) }, interpretation)
}

/**
 * Creates a merge request and does what the quick actions of its description say, in the same transaction; not to be called inside
 * one. @throws what createMergeRequest and the actions refuse
 */
export async function createMergeRequestAsWritten(
  ctx: Context,
  ends: Ends<ProjectWithRole>,
  given: NewMergeRequest,
): Promise<MergeRequestRow> {
  const { description } = given
  if (!description) return createMergeRequest(ctx, ends, given)
  const place = ends.target
  const { interpretation, wanted } = await readNew(ctx, { noun: 'merge_request', place }, { ...given, description })
  return createMergeRequest(ctx, ends, wanted, (tx, row) => finish(tx, { noun: 'merge_request', place, row }, interpretation))
}

/** Creates an epic and does what the quick actions of its description say. @throws what createEpic and the actions refuse */
export async function createEpicAsWritten(
  ctx: Context,
  place: Group,
  given: EpicAttributes & { readonly title: string; readonly created_at?: string | undefined },
): Promise<EpicRow> {
  const { description } = given
  if (!description) return createEpic(ctx, place, given)
  const { interpretation, wanted } = await readNew(ctx, { noun: 'epic', place }, { ...given, description })
  return finish(ctx, { noun: 'epic', place, row: await createEpic(ctx, place, wanted) }, interpretation)
}

/** Reads a note about a thing; `act` does what its quick actions say. @throws (from `act`) what its command and the actions refuse */
export function readNote(ctx: Context, noteable: Noteable, body: string) {
  if (noteable.type === 'Epic') return noteOf(ctx, { noun: 'epic', place: noteable.group, row: noteable.epic }, body)
  const place = noteable.project
  return noteable.type === 'Issue'
    ? noteOf(ctx, { noun: 'issue', place, row: noteable.issue }, body)
    : noteOf(ctx, { noun: 'merge_request', place, row: noteable.mergeRequest }, body)
}

async function noteOf<N extends Noun>(ctx: Context, placed: Placed<N>, body: string) {
  const { noun, place, row } = placed
  const { update, talked } = kindOf(noun)
  const sofar: Things[N]['changes'] = {}
  const interpretation = await interpretQuickActions<N>({ ctx, place, noun, talked: talked(ctx, place, row), sofar }, body)
  const { text, told, names, changes } = interpretation
  const act = async () => {
    const changed = Object.keys(changes).length > 0 ? await update(ctx, place, row, changes) : row
    await finish(ctx, { ...placed, row: changed }, interpretation)
  }
  return { text, told, names, act }
}
