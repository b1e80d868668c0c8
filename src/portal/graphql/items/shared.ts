/** What issues and merge requests have in common. */
import type { LabelRow } from '../../../planning/labels/queries.ts'
import { labelsById } from '../../../planning/labels/queries.ts'
import { milestones } from '../../../planning/milestones/queries.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { GraphRequest } from '../reading/request.ts'

/** The fields of an issue and of a merge request, in the language of schemas. */
export const sharedFields = `
  "Global ID"
  id: ID!
  "Number within the project"
  iid: ID!
  "Title"
  title: String!
  "Description"
  description: String
  "Who wrote it"
  author: UserCore
  "Users it is assigned to"
  assignees: UserCoreConnection
  "Labels"
  labels: LabelConnection
  "Milestone"
  milestone: Milestone
  "Whether only members may comment"
  discussionLocked: Boolean!
  "Number of thumbs up"
  upvotes: Int!
  "Number of thumbs down"
  downvotes: Int!
  "Number of notes by users"
  userNotesCount: Int
  "Address of the page for people"
  webUrl: String
  "When it was created"
  createdAt: Time!
  "When it was last changed"
  updatedAt: Time!
  "Estimate in seconds"
  timeEstimate: Int!
  "Time spent in seconds"
  totalTimeSpent: Int!
  "Tasks of the description"
  taskCompletionStatus: TaskCompletionStatus!
  "Whether the caller gets its notifications"
  subscribed: Boolean!
  "Notes, oldest first"
  notes: NoteConnection!
  "Threads, oldest first"
  discussions: DiscussionConnection!
  "Users who take part"
  participants: UserCoreConnection
`

export const sharedTypes = `
  "Tasks of a description in numbers"
  type TaskCompletionStatus {
    "Number of tasks"
    count: Int!
    "Number of completed tasks"
    completedCount: Int!
  }
`

const labelLoaders = new WeakMap<GraphRequest, (ids: readonly number[]) => ReturnType<typeof labelsById>>()

/** The labels with these ids, by title. */
export async function labelsOfIds(request: GraphRequest, ids: readonly number[]): Promise<Pick<LabelRow, 'id' | 'name'>[]> {
  const load = remembered(labelLoaders, request, () => some => labelsById(request.ctx.db, some))
  const found = await Promise.all(ids.map(id => request.byId(load, id)))
  return found.flatMap(label => label ?? []).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
}

type MilestoneRows = (
  ids: readonly number[],
) => Promise<ReadonlyMap<number, Awaited<ReturnType<ReturnType<typeof milestones>['execute']>>[number]>>
const milestoneLoaders = new WeakMap<GraphRequest, MilestoneRows>()

/** The milestone with this id. */
export const milestoneOfId = (request: GraphRequest, id: number) =>
  request.byId(
    remembered(milestoneLoaders, request, () => async ids => {
      const rows = await milestones(request.ctx.db).where('milestones.id', '=', anyOf(ids)).execute()
      return new Map(rows.map(row => [row.id, row]))
    }),
    id,
  )

/** The loader of a request: always the same function, by which it gathers what is asked for. */
export function remembered<L>(loaders: WeakMap<GraphRequest, L>, request: GraphRequest, make: () => L): L {
  const known = loaders.get(request)
  if (known) return known
  const loader = make()
  loaders.set(request, loader)
  return loader
}

/** The whole or the last part of a reference: `group/project#1` or `#1`. */
export const referenceOf = ({ json }: { json: { references: { short: string; full: string } } }, { full }: { full?: boolean | null }) =>
  full ? json.references.full : json.references.short

/** Can an issue or merge request have this number? */
export const isNumber = (iid: number): boolean => Number.isInteger(iid) && iid > 0 && iid <= 2_147_483_647
