/** Mutations of epics and iterations, which premium has. */
import { Epic } from '../../../../planning/epics/entity.ts'
import type { EpicRow } from '../../../../planning/epics/queries.ts'
import { Iteration } from '../../../../planning/iterations/entity.ts'
import type { IterationRow } from '../../../../planning/iterations/queries.ts'
import type { Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import type { GroupRow } from '../../../../spaces/groups/queries.ts'
import { placeOfGroup } from '../../../../spaces/places/places.ts'
import { numberOrGlobalId } from '../../reading/ids.ts'
import type { Mutations } from '../mutation.ts'
import { groupAt, labelNamesIn, projectAt } from '../places.ts'
import { type MutationRun, type Payload, required, type Sent } from '../run.ts'

const CREATE: Route = 'POST /groups/:id/epics'
const UPDATE: Route = 'PUT /groups/:id/epics/:epic_iid'
const ADD_ISSUE: Route = 'POST /groups/:id/epics/:epic_iid/issues/:epic_issue_id'
const CREATE_ITERATION: Route = 'POST /groups/:id/iterations'
const UPDATE_ITERATION: Route = 'PUT /groups/:id/iterations/:iteration_id'

interface Attributes {
  readonly groupPath: string
  readonly iid?: string
  readonly title?: string | null
  readonly description?: string | null
  readonly confidential?: boolean | null
  readonly startDateFixed?: string | null
  readonly startDateIsFixed?: boolean | null
  readonly dueDateFixed?: string | null
  readonly dueDateIsFixed?: boolean | null
  readonly addLabelIds?: readonly string[] | null
  readonly removeLabelIds?: readonly string[] | null
  readonly stateEvent?: string | null
}

const attributes = `
  "Title" title: String
  "Description" description: String
  "Whether only members from Reporter up may see it" confidential: Boolean
  "Fixed first day" startDateFixed: String
  "Whether the fixed first day counts" startDateIsFixed: Boolean
  "Fixed last day" dueDateFixed: String
  "Whether the fixed last day counts" dueDateIsFixed: Boolean
  "Labels to add" addLabelIds: [ID!]
  "Labels to take away" removeLabelIds: [ID!]
`

/** The attributes as parameters; `what` loads the group whose labels are meant. */
async function sentOf(run: MutationRun, input: Attributes, what: Route, ids: Sent): Promise<Sent> {
  const names = async (labels: readonly string[] | null | undefined) =>
    labels == null ? undefined : labelNamesIn(run, placeOfGroup((await run.subjects(what, ids)).group as GroupRow), labels)
  const added = await names(input.addLabelIds)
  const isNew = what === CREATE
  return {
    ...ids,
    title: input.title ?? undefined,
    description: input.description,
    confidential: input.confidential ?? undefined,
    start_date_fixed: input.startDateFixed,
    start_date_is_fixed: input.startDateIsFixed ?? undefined,
    due_date_fixed: input.dueDateFixed,
    due_date_is_fixed: input.dueDateIsFixed ?? undefined,
    [isNew ? 'labels' : 'add_labels']: added,
    remove_labels: isNew ? undefined : await names(input.removeLabelIds),
    state_event: input.stateEvent?.toLowerCase(),
  }
}

const payload = '"The epic after the mutation" epic: Epic'
const iterationPayload = '"The iteration after the mutation" iteration: Iteration'

const shown = async ({ request }: MutationRun, row: unknown): Promise<Payload> => ({
  epic: await request.show(Epic as never, row as EpicRow),
})

const shownIteration = async ({ request }: MutationRun, row: unknown): Promise<Payload> => ({
  iteration: await request.show(Iteration, row as IterationRow),
})

const epicOf = ({ groupPath, iid }: { readonly groupPath: string; readonly iid?: string }): Sent => ({
  id: groupAt(groupPath),
  epic_iid: iid,
})

interface Dates {
  readonly groupPath: string
  readonly id?: string
  readonly title?: string | null
  readonly description?: string | null
  readonly startDate?: string | null
  readonly dueDate?: string | null
}

const datesOf = ({ groupPath, title, description, startDate, dueDate }: Dates): Sent => ({
  id: groupAt(groupPath),
  title: title ?? undefined,
  description,
  start_date: startDate ?? undefined,
  due_date: dueDate ?? undefined,
})

const dates = `
  "Title" title: String
  "Description" description: String
  "First day" startDate: String
  "Last day" dueDate: String
`

const groupPath = '"Full path of the group" groupPath: ID!'

export const epicMutations: Mutations = {
  createEpic: {
    says: 'Create an epic; premium',
    input: `${groupPath}${attributes}`,
    payload,
    runs: [CREATE],
    run: async (input: Attributes, run) =>
      shown(run, (await run.perform(CREATE, await sentOf(run, input, CREATE, { id: groupAt(input.groupPath) }))).result),
  },
  updateEpic: {
    says: 'Change an epic; premium',
    input: `${groupPath} "Number of the epic" iid: ID! ${attributes} "Close or reopen it" stateEvent: EpicStateEvent`,
    payload,
    runs: [UPDATE],
    run: async (input: Attributes, run) => shown(run, (await run.perform(UPDATE, await sentOf(run, input, UPDATE, epicOf(input)))).result),
    otherwise: async (input: Attributes, run) => shown(run, (await run.subjects(UPDATE, epicOf(input))).epic),
  },
  epicAddIssue: {
    says: 'Put an issue into an epic; premium',
    input: `
      ${groupPath}
      "Number of the epic" iid: ID!
      "Full path of the project of the issue" projectPath: ID!
      "Number of the issue" issueIid: String!
    `,
    payload,
    runs: [ADD_ISSUE],
    async run(input: { groupPath: string; iid: string; projectPath: string; issueIid: string }, run) {
      const issue = await run.ctx.db
        .selectFrom('issues')
        .innerJoin('routes', 'routes.project_id', 'issues.project_id')
        .select('issues.id')
        .where('routes.path', '=', projectAt(input.projectPath))
        .where('issues.iid', '=', /^\d{1,9}$/.test(input.issueIid) ? Number(input.issueIid) : 0)
        .executeTakeFirst()
      await run.perform(ADD_ISSUE, { ...epicOf(input), epic_issue_id: required(issue).id })
      return shown(run, (await run.subjects(ADD_ISSUE, epicOf(input))).epic)
    },
  },
  createIteration: {
    says: 'Create an iteration of a group; premium',
    input: `${groupPath}${dates}`,
    payload: iterationPayload,
    runs: [CREATE_ITERATION],
    run: async (input: Dates, run) => shownIteration(run, (await run.perform(CREATE_ITERATION, datesOf(input))).result),
  },
  updateIteration: {
    says: 'Change an iteration; premium',
    input: `${groupPath} "The iteration" id: ID! ${dates}`,
    payload: iterationPayload,
    runs: [UPDATE_ITERATION],
    run: async (input: Dates & { id: string }, run) => {
      const sent = { ...datesOf(input), iteration_id: numberOrGlobalId('IterationID', input.id) }
      return shownIteration(run, (await run.perform(UPDATE_ITERATION, sent)).result)
    },
  },
}

export const epicTypes = `
  "What happens to the state of an epic"
  enum EpicStateEvent {
    "It is reopened" REOPEN
    "It is closed" CLOSE
  }
`
