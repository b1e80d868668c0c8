/** Mutations of boards and their lists. */
import { Board, BoardList } from '../../../../planning/boards/entity.ts'
import type { BoardListRow, BoardRow } from '../../../../planning/boards/queries.ts'
import type { Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import type { PlanningPlace } from '../../../../spaces/places/places.ts'
import { numberIn, numberOrGlobalId } from '../../reading/ids.ts'
import type { Mutations } from '../mutation.ts'
import { labelNamesIn } from '../places.ts'
import { type MutationRun, type Payload, required, type Sent } from '../run.ts'
import { type InPlace, placed, placeInput } from './labels.ts'

type Method = 'POST' | 'PUT' | 'DELETE'
type Noun = 'projects' | 'groups'

const boards = (method: Method, noun: Noun): Route => `${method} /${noun}/:id/boards${method === 'POST' ? '' : '/:board_id'}`
const lists = (method: Method, noun: Noun): Route => `${method} /${noun}/:id/boards/:board_id/lists${method === 'POST' ? '' : '/:list_id'}`
const both = (routes: (method: Method, noun: Noun) => Route, method: Method) => [routes(method, 'projects'), routes(method, 'groups')]

interface Place {
  readonly noun: Noun
  readonly ids: Sent
}

/** Where a board is. */
async function boardPlace({ ctx }: MutationRun, board_id: number): Promise<Place> {
  const row = await ctx.db.selectFrom('boards').select(['project_id', 'namespace_id']).where('id', '=', board_id).executeTakeFirst()
  const { project_id, namespace_id } = required(row)
  return project_id === null
    ? { noun: 'groups', ids: { id: String(namespace_id), board_id } }
    : { noun: 'projects', ids: { id: String(project_id), board_id } }
}

/** Where a list is. */
async function listPlace(run: MutationRun, globalId: string): Promise<Place> {
  const list_id = numberOrGlobalId('ListID', globalId)
  const row = await run.ctx.db.selectFrom('board_lists').select('board_id').where('id', '=', list_id).executeTakeFirst()
  const { noun, ids } = await boardPlace(run, required(row).board_id)
  return { noun, ids: { ...ids, list_id } }
}

interface Attributes {
  readonly name?: string | null
  readonly hideBacklogList?: boolean | null
  readonly hideClosedList?: boolean | null
  readonly assigneeId?: string | null
  readonly milestoneId?: string | null
  readonly weight?: number | null
  readonly labels?: readonly string[] | null
  readonly labelIds?: readonly string[] | null
}

const attributes = `
  "Name" name: String
  "Whether the list of open issues is hidden" hideBacklogList: Boolean
  "Whether the list of closed issues is hidden" hideClosedList: Boolean
  "Only issues of this assignee; premium" assigneeId: UserID
  "Only issues of this milestone; premium" milestoneId: MilestoneID
  "Only issues of this weight; premium" weight: Int
  "Only issues with these labels, by name; premium" labels: [String!]
  "Only issues with these labels; premium" labelIds: [LabelID!]
`

/** The changes that an input names, besides the name; nothing where there are none. */
async function changesOf(run: MutationRun, { labelIds, ...input }: Attributes, place: () => Promise<PlanningPlace>): Promise<Sent> {
  const named = labelIds == null ? undefined : await labelNamesIn(run, await place(), labelIds)
  const { labels } = input
  const sent = {
    hide_backlog_list: input.hideBacklogList ?? undefined,
    hide_closed_list: input.hideClosedList ?? undefined,
    assignee_id: input.assigneeId == null ? input.assigneeId : numberIn('UserID', input.assigneeId),
    milestone_id: input.milestoneId == null ? input.milestoneId : numberIn('MilestoneID', input.milestoneId),
    weight: input.weight,
    labels: labels == null && named === undefined ? undefined : [...(labels ?? []), ...(named ?? [])],
  }
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
}

const payload = '"The board after the mutation" board: Board'
const listPayload = '"The list after the mutation" list: BoardList'

const shown = async ({ request }: MutationRun, row: unknown): Promise<Payload> => ({ board: await request.show(Board, row as BoardRow) })

const shownList = async ({ request }: MutationRun, row: unknown): Promise<Payload> => ({
  list: await request.show(BoardList, row as BoardListRow),
})

export const boardMutations: Mutations = {
  createBoard: {
    says: 'Create a board of a project or group',
    input: `${placeInput}${attributes}`,
    payload,
    runs: [...both(boards, 'POST'), ...both(boards, 'PUT'), ...both(boards, 'DELETE')],
    async run(input: InPlace & Attributes, run) {
      const { route, id } = placed(input, boards('POST', 'projects'), boards('POST', 'groups'))
      const { result, subjects } = await run.perform(route, { id, name: input.name ?? 'Development' })
      const { id: board_id } = result as BoardRow
      const changes = await changesOf(run, input, async () => subjects.place as PlanningPlace)
      if (Object.keys(changes).length === 0) return shown(run, result)
      const { noun, ids } = await boardPlace(run, board_id)
      try {
        return await shown(run, (await run.perform(boards('PUT', noun), { ...ids, ...changes })).result)
      } catch (error) {
        // A board whose attributes are wrong is none.
        await run.perform(boards('DELETE', noun), ids)
        throw error
      }
    },
  },
  updateBoard: {
    says: 'Change a board',
    input: `"The board" id: BoardID! ${attributes}`,
    payload,
    runs: both(boards, 'PUT'),
    async run(input: Attributes & { id: string }, run) {
      const { noun, ids } = await boardPlace(run, numberIn('BoardID', input.id))
      const route = boards('PUT', noun)
      const changes = await changesOf(run, input, async () => (await run.subjects(route, ids)).place as PlanningPlace)
      return shown(run, (await run.perform(route, { ...ids, name: input.name ?? undefined, ...changes })).result)
    },
    async otherwise(input: { id: string }, run) {
      const { noun, ids } = await boardPlace(run, numberIn('BoardID', input.id))
      return shown(run, (await run.subjects(boards('PUT', noun), ids)).board)
    },
  },
  destroyBoard: {
    says: 'Delete a board',
    input: '"The board" id: BoardID!',
    payload,
    runs: both(boards, 'DELETE'),
    async run({ id }: { id: string }, run) {
      const { noun, ids } = await boardPlace(run, numberIn('BoardID', id))
      await run.perform(boards('DELETE', noun), ids)
      return {}
    },
  },
  boardListCreate: {
    says: 'Add a list to a board',
    input: `
      "The board" boardId: BoardID!
      "Issues with this label" labelId: LabelID
      "Issues of this assignee; premium" assigneeId: UserID
      "Issues of this milestone; premium" milestoneId: MilestoneID
      "Issues of this iteration; premium" iterationId: IterationID
    `,
    payload: listPayload,
    runs: both(lists, 'POST'),
    async run(input: { boardId: string; labelId?: string; assigneeId?: string; milestoneId?: string; iterationId?: string }, run) {
      const { noun, ids } = await boardPlace(run, numberIn('BoardID', input.boardId))
      const sent = {
        ...ids,
        label_id: input.labelId && numberIn('LabelID', input.labelId),
        assignee_id: input.assigneeId && numberIn('UserID', input.assigneeId),
        milestone_id: input.milestoneId && numberIn('MilestoneID', input.milestoneId),
        iteration_id: input.iterationId && numberIn('IterationID', input.iterationId),
      }
      return shownList(run, (await run.perform(lists('POST', noun), sent)).result)
    },
  },
  updateBoardList: {
    says: 'Move a list of a board',
    input: `
      "The list" listId: ID!
      "New place, from 0" position: Int
    `,
    payload: listPayload,
    runs: both(lists, 'PUT'),
    async run({ listId, position }: { listId: string; position?: number | null }, run) {
      const { noun, ids } = await listPlace(run, listId)
      return shownList(run, (await run.perform(lists('PUT', noun), { ...ids, position: position ?? undefined })).result)
    },
  },
  boardListUpdateLimitMetrics: {
    says: 'Set the limits of a list of a board; premium',
    input: `
      "The list" listId: ListID!
      "What limits the list" limitMetric: ListLimitMetric
      "Most issues" maxIssueCount: Int
      "Most weight" maxIssueWeight: Int
    `,
    payload: listPayload,
    runs: both(lists, 'PUT'),
    async run(input: { listId: string; limitMetric?: string | null; maxIssueCount?: number | null; maxIssueWeight?: number | null }, run) {
      const { noun, ids } = await listPlace(run, input.listId)
      const sent = {
        ...ids,
        limit_metric: input.limitMetric ?? undefined,
        max_issue_count: input.maxIssueCount ?? undefined,
        max_issue_weight: input.maxIssueWeight ?? undefined,
      }
      return shownList(run, (await run.perform(lists('PUT', noun), sent)).result)
    },
  },
  destroyBoardList: {
    says: 'Take a list from a board',
    input: '"The list" listId: ListID!',
    payload: listPayload,
    runs: both(lists, 'DELETE'),
    async run({ listId }: { listId: string }, run) {
      const { noun, ids } = await listPlace(run, listId)
      await run.perform(lists('DELETE', noun), ids)
      return {}
    },
  },
}
