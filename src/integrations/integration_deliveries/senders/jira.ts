/**
 * Jira: comments on the issues that commits and merge requests name by their keys, and moves those that they close. Version 2 of its REST API, which
 * both its forms have.
 */

import { keysIn } from '../../../collaboration/markdown/closing.ts'
import { parseJson } from '../../../platform/bounded_json.ts'
import { nameIn, refIn } from '../payload.ts'
import { Misconfigured, type Sender, type Sending } from './sender.ts'

/** Issues that one event is reported to. */
const MOST_ISSUES = 20

/** Something here that names issues there. */
interface Naming {
  /** Of the steps of a delivery. */
  readonly id: string
  readonly text: string
  readonly title: string
  readonly url: string
  /** As in "in a commit". */
  readonly noun: string
  /** Whether it closes what it says it closes. */
  readonly closes: boolean
}

function namingsIn({ payload }: Sending): readonly Naming[] {
  const { object_kind, object_attributes: item, commits = [], project } = payload
  if (object_kind === 'push') {
    const closes = refIn(payload)?.name === project.default_branch
    return commits.map(({ id, message, title, url }) => ({ id, text: message, title, url, noun: 'a commit', closes }))
  }
  const { iid, title = '', url = '', description, action = 'open', target_branch } = item ?? ({} as never)
  if (object_kind !== 'merge_request' || !['open', 'merge'].includes(action)) return []
  const closes = action === 'merge' && target_branch === project.default_branch
  return [{ id: `!${iid}`, text: `${title}\n\n${description ?? ''}`, title, url, noun: 'a merge request', closes }]
}

/** Comments and transitions, each once however often it is attempted. */
export const tellJira: Sender = async sending => {
  const needed = sending.payload.object_kind === 'push' ? 'commit_events' : 'merge_requests_events'
  if (!sending.row.switches.includes(needed)) return
  const wanted = namingsIn(sending).flatMap(naming => {
    const { named, closed } = keysIn(naming.text)
    return named.map(key => ({ key, naming, closes: naming.closes && closed.includes(key) }))
  })
  for (const { key, naming, closes } of wanted.slice(0, MOST_ISSUES)) {
    const issue = await issueAt(sending, key)
    if (!issue) continue
    if (sending.row.comment_on_event_enabled && !issue.comments.some(text => text.includes(naming.url)))
      await sending.once(`comment:${key}:${naming.id}`, () => comment(sending, key, naming))
    if (closes && !issue.isDone) await sending.once(`close:${key}`, () => close(sending, key))
  }
}

const apiAddress = (sending: Sending, path: string): URL =>
  sending.address(sending.text('api_url') === '' ? 'url' : 'api_url', `/rest/api/2${path}`)

async function readJson(
  sending: Sending,
  path: string,
  also: readonly number[] = [],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const answer = await sending.call({ method: 'GET', url: apiAddress(sending, path), headers: sending.basic(), also })
  if (answer.status === 404) return undefined
  try {
    return parseJson(answer.body) as Record<string, unknown>
  } catch {
    throw new Misconfigured('What answers at this address is not the API of Jira')
  }
}

/** The issue; undefined where there is none, as a word of capitals and a number may be no key. */
async function issueAt(sending: Sending, key: string) {
  const found = await readJson(sending, `/issue/${key}?fields=comment,resolution`, [404])
  if (!found) return undefined
  const { comment: page, resolution } = (found.fields ?? {}) as { comment?: { comments?: { body?: unknown }[] }; resolution?: unknown }
  return { comments: (page?.comments ?? []).map(({ body }) => String(body)), isDone: resolution != null }
}

/** Jira's markup reads braces and brackets. */
const asText = (text: string): string => text.replace(/[{}[\]|!*\\]/g, '\\$&')

const post = (sending: Sending, path: string, body: object) =>
  sending.call({ url: apiAddress(sending, path), body: JSON.stringify(body), headers: sending.basic() })

function comment(sending: Sending, key: string, { noun, title, url }: Naming) {
  const { project } = sending.payload
  const body = `${asText(nameIn(sending.payload))} named this issue in [${noun} of ${asText(project.path_with_namespace)}|${url}]:\n{quote}${asText(title)}{quote}`
  return post(sending, `/issue/${key}/comment`, { body })
}

interface Transition {
  readonly id: string
  readonly to?: { readonly statusCategory?: { readonly key?: string } }
}

/** The transitions that were asked for, in their order, or the first one to a state that counts as done. */
async function close(sending: Sending, key: string): Promise<void> {
  const ids = sending.text('jira_issue_transition_id').match(/\d+/g) ?? []
  if (sending.flag('jira_issue_transition_automatic')) {
    const answer = await readJson(sending, `/issue/${key}/transitions`)
    const done = ((answer?.transitions ?? []) as Transition[]).find(({ to }) => to?.statusCategory?.key === 'done')
    if (done) await post(sending, `/issue/${key}/transitions`, { transition: { id: done.id } })
    return
  }
  for (const id of ids)
    await sending.once(`transition:${key}:${id}`, () => post(sending, `/issue/${key}/transitions`, { transition: { id } }))
}

/** Asks who the user is: what a trial of the settings says. */
export const tryJira: Sender = async sending => {
  const me = await readJson(sending, '/myself')
  if (me?.name === undefined && me?.accountId === undefined && me?.displayName === undefined)
    throw new Misconfigured('What answers at this address is not the API of Jira')
}
