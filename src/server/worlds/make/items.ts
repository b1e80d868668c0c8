/** Makes the issues and merge requests of a world. */
import { ROOT } from '../../setup/root.ts'
import { type Answer, until, WorldRefused } from '../clients.ts'
import type { WorldIssue, WorldMergeRequest } from '../schema.ts'
import type { Maker } from './maker.ts'
import type { ProjectPlace } from './project.ts'

export async function makeIssue(maker: Maker, place: ProjectPlace, at: readonly string[], issue: WorldIssue): Promise<void> {
  const { title, description, author = place.owner, confidential, weight, due_date, state, comments } = issue
  const keys = [...place.keys, ...at]
  const iid = await maker.step(keys, issue.at, async () => {
    const managed = { ...(await managedOf(maker, place, issue)), ...given({ weight, due_date }) }
    const sent = { title, ...given({ description, confidential }), ...managed }
    const made = await maker.do(author, `POST ${place.url}/issues`, sent)
    await manage(maker, place, `${place.url}/issues/${made.iid}`, made, managed)
    return made.iid as number
  })
  const url = `${place.url}/issues/${iid}`
  await makeComments(maker, url, keys, comments)
  if (state === 'closed') await maker.step(keys, undefined, () => maker.do(place.owner, `PUT ${url}`, { state_event: 'close' }))
}

export async function makeMergeRequest(
  maker: Maker,
  place: ProjectPlace,
  at: readonly string[],
  proposal: WorldMergeRequest,
): Promise<void> {
  const { title, description, author = place.owner, source, target = place.defaultBranch, reviewers, approved_by = [], state } = proposal
  const keys = [...place.keys, ...at]
  const iid = await maker.step(keys, proposal.at, async () => {
    const managed = {
      ...(await managedOf(maker, place, proposal)),
      ...(reviewers && { reviewer_ids: await maker.userIds(reviewers) }),
    }
    const sent = { title, source_branch: source, target_branch: target, ...given({ description }), ...managed }
    const made = await maker.do(author, `POST ${place.url}/merge_requests`, sent)
    await manage(maker, place, `${place.url}/merge_requests/${made.iid}`, made, managed)
    return made.iid as number
  })
  const url = `${place.url}/merge_requests/${iid}`
  await makeComments(maker, url, keys, proposal.comments)
  for (const [index, username] of approved_by.entries())
    await maker.step([...keys, 'approved_by', `[${index}]`], undefined, () => maker.do(username, `POST ${url}/approve`))
  if (state === 'closed') await maker.step(keys, undefined, () => maker.do(place.owner, `PUT ${url}`, { state_event: 'close' }))
  // Its check is a task, which has been waited for; the first look at a merge request may ask for another.
  else if (state === 'merged') await maker.step(keys, undefined, () => merge(maker, place.owner, url))
  else await maker.step(keys, undefined, () => checked(maker, url))
}

async function merge(maker: Maker, owner: string, url: string): Promise<void> {
  const { merge_status } = await checked(maker, url)
  if (merge_status !== 'can_be_merged') throw new WorldRefused(`it cannot be merged: ${merge_status}`)
  await maker.do(owner, `PUT ${url}/merge`)
}

/** The merge request once it is known whether it can be merged. */
const checked = (maker: Maker, url: string): Promise<Answer> =>
  until(
    async () => {
      const now = await maker.do(ROOT, `GET ${url}`)
      return ['unchecked', 'checking', 'cannot_be_merged_recheck'].includes(now.merge_status) ? undefined : now
    },
    'the check whether it can be merged',
    10,
  )

/** The attributes that have values. */
const given = <T extends object>(attributes: T): Partial<T> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Partial<T>

/** What only some roles set: labels, assignees, a milestone, as parameters of the API. */
async function managedOf(maker: Maker, place: ProjectPlace, item: WorldIssue | WorldMergeRequest): Promise<Record<string, unknown>> {
  const { labels, assignees, milestone } = item
  return {
    ...(labels && { labels: labels.join(',') }),
    ...(assignees && { assignee_ids: await maker.userIds(assignees) }),
    ...(milestone !== undefined && { milestone_id: await milestoneId(maker, place, milestone) }),
  }
}

async function milestoneId(maker: Maker, { url }: ProjectPlace, title: string): Promise<number> {
  const query = new URLSearchParams({ title, include_parent_milestones: 'true' })
  const [found] = await maker.do(ROOT, `GET ${url}/milestones?${query}`)
  if (!found) throw new WorldRefused(`there is no milestone "${title}"`)
  return found.id
}

/** The API leaves out in silence what its caller may not set: the owner sets it then. */
async function manage(maker: Maker, { owner }: ProjectPlace, url: string, made: Answer, managed: Record<string, unknown>): Promise<void> {
  const isSet: Readonly<Record<string, (value: never) => boolean>> = {
    labels: (value: string) => made.labels.length === value.split(',').length,
    assignee_ids: (value: readonly number[]) => made.assignees.length === value.length,
    reviewer_ids: (value: readonly number[]) => made.reviewers.length === value.length,
    milestone_id: (value: number) => made.milestone?.id === value,
    weight: (value: number) => made.weight === value,
    due_date: (value: string) => made.due_date === value,
  }
  const left = Object.fromEntries(Object.entries(managed).filter(([name, value]) => !isSet[name]?.(value as never)))
  if (Object.keys(left).length > 0) await maker.do(owner, `PUT ${url}`, left)
}

async function makeComments(maker: Maker, url: string, keys: readonly string[], comments: WorldIssue['comments'] = []): Promise<void> {
  for (const [index, { author, body, at }] of comments.entries())
    await maker.step([...keys, 'comments', `[${index}]`], at, () => maker.do(author, `POST ${url}/notes`, { body }))
}
