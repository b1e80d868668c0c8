/**
 * What GitHub's API lists of a repository, kept on disk as it comes: a list that is whole is not asked for again when the server wants to be asked later,
 * or the process ends.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RemoteApi } from '../../../platform/outbound/remote_api.ts'
import { readLines } from '../../archives/reading/lines.ts'
import type { Row } from '../../archives/reading/row.ts'

/** Pages of one list. */
const MOST_PAGES = 2_000

/** Pull requests whose reviews are in one file. */
const REVIEWED = 100

type Slim = (value: Record<string, unknown>) => object

const userOf = (value: unknown): object | null => {
  const { id, login } = (value ?? {}) as { id?: unknown; login?: unknown }
  return id === undefined ? null : { id, login }
}

const picked =
  (...names: readonly string[]): Slim =>
  value => ({ ...Object.fromEntries(names.map(name => [name, value[name]])), user: userOf(value.user) })

const labelsOf = (value: unknown): unknown => (Array.isArray(value) ? value.map(each => ({ name: each?.name, color: each?.color })) : [])
const peopleOf = (value: unknown): unknown => (Array.isArray(value) ? value.map(userOf).filter(user => user !== null) : [])
const milestoneOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? { title: (value as { title?: unknown }).title } : null
const times = ['created_at', 'updated_at'] as const

const item: Slim = value => ({
  ...picked('number', 'title', 'body', 'state', 'locked', 'closed_at', ...times)(value),
  labels: labelsOf(value.labels),
  assignees: peopleOf(value.assignees),
  milestone: milestoneOf(value.milestone),
  is_pull: value.pull_request !== undefined && value.pull_request !== null,
})

const end = (value: unknown): object => {
  const { ref, sha, repo } = (value ?? {}) as { ref?: unknown; sha?: unknown; repo?: { id?: unknown } | null }
  return { ref, sha, repository: repo?.id ?? null }
}

const pull: Slim = value => ({
  ...(item(value) as object),
  ...picked('merged_at', 'merge_commit_sha', 'draft')(value),
  reviewers: peopleOf(value.requested_reviewers),
  head: end(value.head),
  base: end(value.base),
})

const release: Slim = value => ({
  ...picked('tag_name', 'name', 'body', 'draft', 'created_at', 'published_at')(value),
  user: userOf(value.author),
  assets: Array.isArray(value.assets) ? value.assets.map(each => ({ name: each?.name, url: each?.browser_download_url })) : [],
})

/** The lists, and what is kept of each row. */
const lists: Readonly<Record<string, readonly [path: string, slim: Slim]>> = {
  labels: ['/labels', picked('name', 'color', 'description')],
  milestones: ['/milestones?state=all', picked('number', 'title', 'description', 'state', 'due_on', ...times)],
  issues: ['/issues?state=all&sort=created&direction=asc', item],
  comments: ['/issues/comments?sort=created&direction=asc', picked('issue_url', 'body', ...times)],
  pulls: ['/pulls?state=all&sort=created&direction=asc', pull],
  pull_comments: [
    '/pulls/comments?sort=created&direction=asc',
    picked('id', 'in_reply_to_id', 'pull_request_url', 'path', 'line', 'side', 'body', ...times),
  ],
  releases: ['/releases', release],
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )

/** Bytes of the lists that are here; what is left of one that did not become whole is removed. */
export async function bytesHere(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  let bytes = 0
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (name.endsWith('.part')) await rm(path)
    else bytes += (await stat(path)).size
  }
  return bytes
}

/** The rows of a list that is here. */
export const rowsOf = (folder: string, name: string): AsyncGenerator<Row, void, void> => readLines(join(folder, `${name}.ndjson`), name)

/** Writes a list, whole or not at all. */
export async function keep(folder: string, name: string, rows: AsyncIterable<object>): Promise<void> {
  const path = join(folder, `${name}.ndjson`)
  if (await isThere(path)) return
  async function* lines() {
    for await (const row of rows) yield `${JSON.stringify(row)}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(`${path}.part`))
  await rename(`${path}.part`, path)
}

async function* listed(api: RemoteApi, path: string, name: string, slim: Slim): AsyncGenerator<object, void, void> {
  for await (const page of api.pages(path, name, MOST_PAGES))
    for (const value of page) if (typeof value === 'object' && value !== null) yield slim(value as Record<string, unknown>)
}

/** Fetches what is not here yet of a repository. @throws RemoteBusy RemoteRefused OutboundFailed OutboundRefused */
export async function fetchLists(api: RemoteApi, repository: string, folder: string): Promise<void> {
  for (const [name, [path, slim]] of Object.entries(lists)) await keep(folder, name, listed(api, `${repository}${path}`, name, slim))
  let numbers: number[] = []
  let file = 0
  const flush = async () => {
    const of = numbers
    numbers = []
    await keep(folder, `reviews-${file++}`, reviewsOf(api, repository, of))
  }
  for await (const row of rowsOf(folder, 'pulls')) {
    numbers.push(row.integer('number', { min: 1 }))
    if (numbers.length === REVIEWED) await flush()
  }
  await flush()
}

async function* reviewsOf(api: RemoteApi, repository: string, numbers: readonly number[]): AsyncGenerator<object, void, void> {
  for (const number of numbers)
    for await (const review of listed(api, `${repository}/pulls/${number}/reviews`, 'reviews', picked('state', 'body', 'submitted_at')))
      yield { ...review, number }
}

/** The reviews that are here. */
export async function* reviewsIn(folder: string): AsyncGenerator<Row, void, void> {
  for (let file = 0; await isThere(join(folder, `reviews-${file}.ndjson`)); file++) yield* rowsOf(folder, `reviews-${file}`)
}
