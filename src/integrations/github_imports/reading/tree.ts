/** Writes what was read of GitHub in the form of an archive of a project, which imports read. */
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { mergeBase, type Repository, readCommits } from '../../../platform/git/index.ts'
import { isWebAddress } from '../../../platform/kernel/addresses/web_address.ts'
import type { People } from '../../archives/importing/people.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'
import type { Row } from '../../archives/reading/row.ts'
import { withDifferences } from '../../project_archives/relations/items/versions.ts'
import { reviewsIn, rowsOf } from './lists.ts'

/** What the rows are written from. */
export interface TreeOf {
  /** Where the lists are. */
  readonly lists: string
  /** Where the archive is written. */
  readonly folder: string
  readonly people: People
  /** As GitHub describes it. */
  readonly about: Row
  readonly repository: Repository
}

/** Characters of all comments and reviews together: they are put beside their issues in memory. */
const MOST_TEXT = 64 * 1024 * 1024

/** What a comment takes in memory beside its text, in characters. */
const FRAME = 256

/** Most reviewers of all pull requests together, each counted where they reviewed. */
const MOST_REVIEWERS = 200_000

const LONGEST_TITLE = 255

/** Contract: a text of someone without an account here begins with who wrote it (import of GitHub at 14.0). */
function textOf({ people }: TreeOf, row: Row): string {
  const body = row.maybeText('body') ?? ''
  const user = row.row('user')
  return people.knows(user?.maybeId('id')) ? body : `*Created by: ${user?.maybeText('login', 255) ?? 'ghost'}*\n\n${body}`
}

const writerOf = (row: Row) => row.row('user')?.maybeId('id') ?? null

const times = (row: Row) => ({
  created_at: row.maybeInstant('created_at'),
  updated_at: row.maybeInstant('updated_at') ?? row.maybeInstant('created_at'),
})

const colorOf = (row: Row): string => {
  const color = row.maybeText('color', 64) ?? ''
  return /^[0-9a-f]{6}$/i.test(color) ? `#${color}` : '#428bca'
}

/** The name of a label here, which has no commas. */
const labelOf = (row: Row) => ({ title: (row.maybeText('name', 255) ?? '').replaceAll(',', ' ').trim() || 'label', color: colorOf(row) })

const linksOf = (row: Row) => row.rows('labels').map(each => ({ label: labelOf(each) }))

async function* labels({ lists }: TreeOf) {
  for await (const row of rowsOf(lists, 'labels')) yield { ...labelOf(row), description: row.maybeText('description') ?? null }
}

async function* milestones({ lists }: TreeOf) {
  for await (const row of rowsOf(lists, 'milestones'))
    yield {
      iid: row.iid('number'),
      title: row.text('title').slice(0, LONGEST_TITLE),
      description: row.maybeText('description') ?? null,
      state: row.maybeText('state', 64) === 'closed' ? 'closed' : 'active',
      due_date: row.maybeDay('due_on') ?? null,
      ...times(row),
    }
}

/** The number at the end of an address of the API. */
const numberIn = (address: string | undefined): number => Number(/\/(\d{1,9})$/.exec(address ?? '')?.[1] ?? 0)

/** The comments and reviews by the number of their issue or pull request. */
async function notesOf(tree: TreeOf): Promise<ReadonlyMap<number, readonly object[]>> {
  const notes = new Map<number, object[]>()
  let size = 0
  const add = (number: number, text: string, note: object) => {
    size += text.length + FRAME
    if (size > MOST_TEXT) throw new ArchiveRefused('The repository has more comments than are imported.', 'comments')
    const known = notes.get(number)
    if (known) known.push(note)
    else notes.set(number, [note])
  }
  for await (const row of rowsOf(tree.lists, 'comments')) {
    const note = textOf(tree, row)
    add(numberIn(row.maybeText('issue_url', 2_048)), note, { note, author_id: writerOf(row), ...times(row) })
  }
  for await (const row of rowsOf(tree.lists, 'pull_comments')) {
    const note = `\`${row.maybeText('path', 1_024) ?? ''}\`\n\n${textOf(tree, row)}`
    const thread = `github ${row.maybeId('in_reply_to_id') ?? row.maybeId('id')}`
    const line = row.maybeInteger('line', { min: 1 })
    const path = row.maybeText('path', 1_024)
    const at = line === undefined || !path ? {} : { at: { path, line, isOld: row.maybeText('side', 64) === 'LEFT' } }
    const body = line === undefined ? note : textOf(tree, row)
    add(numberIn(row.maybeText('pull_request_url', 2_048)), body, {
      note: body,
      author_id: writerOf(row),
      type: 'DiffNote',
      discussion_id: thread,
      ...times(row),
      ...at,
    })
  }
  for await (const row of reviewsIn(tree.lists)) {
    const state = reviews[row.maybeText('state', 64) as keyof typeof reviews]
    const body = row.maybeText('body') ?? ''
    // What is only the frame of comments on lines says nothing by itself.
    if (state === undefined || (body === '' && state === reviews.COMMENTED)) continue
    // Contract: a review is a note that begins with what it came to (import of GitHub at 14.0).
    const by = tree.people.knows(row.row('user')?.maybeId('id'))
      ? ''
      : `*Created by: ${row.row('user')?.maybeText('login', 255) ?? 'ghost'}*\n\n`
    const note = `${by}**Review:** ${state}${body === '' ? '' : `\n\n${body}`}`
    add(row.iid('number'), note, { note, author_id: writerOf(row), created_at: row.maybeInstant('submitted_at') })
  }
  return notes
}

const reviews = { APPROVED: 'Approved', CHANGES_REQUESTED: 'Changes requested', COMMENTED: 'Commented', DISMISSED: 'Dismissed' } as const

/** What issues and pull requests share. */
function itemOf(tree: TreeOf, row: Row) {
  return {
    iid: row.iid('number'),
    title: row.text('title').slice(0, LONGEST_TITLE),
    description: textOf(tree, row),
    author_id: writerOf(row),
    discussion_locked: row.flag('locked'),
    milestone: titleOf(row.row('milestone')),
    label_links: linksOf(row),
    ...times(row),
  }
}

const titleOf = (row: Row | undefined) => (row ? { title: row.text('title').slice(0, LONGEST_TITLE) } : null)

const usersOf = (rows: readonly Row[], { people }: TreeOf) =>
  rows.flatMap(row => (people.knows(row.maybeId('id')) ? [{ user_id: row.maybeId('id') }] : []))

type Notes = ReadonlyMap<number, readonly object[]>

async function* issues(tree: TreeOf, notes: Notes) {
  for await (const row of rowsOf(tree.lists, 'issues')) {
    if (row.flag('is_pull')) continue
    const item = itemOf(tree, row)
    yield {
      ...item,
      state: row.maybeText('state', 64) === 'closed' ? 'closed' : 'opened',
      closed_at: row.maybeInstant('closed_at') ?? null,
      issue_assignees: usersOf(row.rows('assignees'), tree),
      notes: notes.get(item.iid) ?? [],
    }
  }
}

/** The commits of a pull request, as far as the repository has them. */
async function versionOf({ repository }: TreeOf, row: Row) {
  const [head, start] = [row.row('head')?.maybeCommit('sha'), row.row('base')?.maybeCommit('sha')]
  if (head === undefined || start === undefined) return undefined
  const here = await readCommits(repository, [head, start])
  if (here.some(commit => commit === undefined)) return undefined
  const base = await mergeBase(repository, [start, head])
  return base === undefined
    ? undefined
    : {
        head_commit_sha: head,
        start_commit_sha: start,
        base_commit_sha: base,
        state: 'collected',
        created_at: row.maybeInstant('updated_at'),
      }
}

/** A note with the place that its line has in the version. */
function placed(note: object, version: Awaited<ReturnType<typeof versionOf>>): object {
  const { at, ...rest } = note as { readonly at?: { readonly path: string; readonly line: number; readonly isOld: boolean } }
  if (!at || !version) return rest
  const position = {
    position_type: 'text',
    base_sha: version.base_commit_sha,
    start_sha: version.start_commit_sha,
    head_sha: version.head_commit_sha,
    old_path: at.path,
    new_path: at.path,
    old_line: at.isOld ? at.line : null,
    new_line: at.isOld ? null : at.line,
  }
  return { ...rest, position, original_position: position }
}

async function* mergeRequests(tree: TreeOf, notes: Notes) {
  const approvals = await approvalsIn(tree)
  for await (const row of rowsOf(tree.lists, 'pulls')) {
    const item = itemOf(tree, row)
    const [head, base] = [row.row('head'), row.row('base')]
    const merged_at = row.maybeInstant('merged_at')
    const isClosed = row.maybeText('state', 64) === 'closed'
    const version = await versionOf(tree, row)
    const whole = (await withDifferences(tree.repository, version ? { merge_request_diff: version as never } : {})) as {
      merge_request_diff?: { merge_request_diff_files?: object[] }
    }
    const { merge_request_diff: diff } = whole
    yield {
      ...item,
      title: row.flag('draft') && !/^draft:/i.test(item.title) ? `Draft: ${item.title}`.slice(0, LONGEST_TITLE) : item.title,
      source_branch: head?.maybeText('ref', 255) ?? `pull-${item.iid}`,
      target_branch: base?.maybeText('ref', 255) ?? 'main',
      source_project_id: head?.maybeId('repository') ?? 0,
      target_project_id: base?.maybeId('repository') ?? 1,
      state: merged_at !== undefined ? 'merged' : isClosed ? 'closed' : 'opened',
      merge_commit_sha: merged_at === undefined ? null : (row.maybeCommit('merge_commit_sha') ?? null),
      diff_head_sha: head?.maybeCommit('sha') ?? null,
      metrics: { merged_at, latest_closed_at: row.maybeInstant('closed_at') },
      merge_request_assignees: usersOf(row.rows('assignees'), tree),
      merge_request_reviewers: usersOf(row.rows('reviewers'), tree),
      approvals: approvals.get(item.iid) ?? [],
      // The number of files counts, and their text is in the repository.
      ...(diff && { merge_request_diff: { ...diff, merge_request_diff_files: diff.merge_request_diff_files?.map(() => ({})) } }),
      notes: (notes.get(item.iid) ?? []).map(note => placed(note, version)),
    }
  }
}

async function approvalsIn({ lists }: TreeOf): Promise<ReadonlyMap<number, object[]>> {
  // Of each review its verdict alone: texts of all of them would be in memory.
  const latest = new Map<number, Map<number, { readonly isApproval: boolean; readonly created_at: string | undefined }>>()
  let count = 0
  for await (const row of reviewsIn(lists)) {
    const [number, user, state] = [row.iid('number'), writerOf(row), row.maybeText('state', 64)]
    if (user === null || state === 'COMMENTED') continue
    const reviewers = latest.get(number) ?? new Map()
    if (!reviewers.has(user) && ++count > MOST_REVIEWERS)
      throw new ArchiveRefused('The repository has more reviews than are imported.', 'reviews')
    latest.set(number, reviewers.set(user, { isApproval: state === 'APPROVED', created_at: row.maybeInstant('submitted_at') }))
  }
  const approving = (reviewers: ReadonlyMap<number, { readonly isApproval: boolean; readonly created_at: string | undefined }>) =>
    [...reviewers].flatMap(([user_id, { isApproval, created_at }]) => (isApproval ? [{ user_id, created_at }] : []))
  return new Map([...latest].map(([number, reviewers]) => [number, approving(reviewers)]))
}

async function* releases(tree: TreeOf) {
  for await (const row of rowsOf(tree.lists, 'releases')) {
    if (row.flag('draft')) continue
    const tag = row.text('tag_name', 1_024)
    yield {
      tag,
      name: (row.maybeText('name') || tag).slice(0, 255),
      description: textOf(tree, row),
      author_id: writerOf(row),
      created_at: row.maybeInstant('created_at'),
      released_at: row.maybeInstant('published_at') ?? row.maybeInstant('created_at'),
      links: linksIn(row),
    }
  }
}

/** The files of a release, as links to where they are. */
function linksIn(row: Row): object[] {
  const links = row
    .rows('assets')
    .map(asset => ({ name: (asset.maybeText('name') ?? '').slice(0, 255), url: asset.maybeText('url', 2_048) ?? '' }))
  const good = links.filter(({ name, url }) => name !== '' && isWebAddress(url))
  return [...new Map(good.map(link => [link.name, link])).values()]
}

/** Writes the archive. @throws ArchiveRefused for values that cannot be */
export async function writeGithubTree(tree: TreeOf): Promise<void> {
  const { about, folder } = tree
  await mkdir(join(folder, 'tree', 'project'), { recursive: true })
  await writeFile(join(folder, 'VERSION'), '0.2.4')
  const settings = {
    description: about.maybeText('description')?.slice(0, 2_000) ?? null,
    visibility_level: about.maybeFlag('private') === false ? 20 : 0,
    default_branch: about.maybeText('default_branch', 255) ?? null,
    archived: about.maybeFlag('archived') ?? false,
  }
  await writeFile(join(folder, 'tree', 'project.json'), JSON.stringify(settings))
  const notes = await notesOf(tree)
  const relations = {
    labels: labels(tree),
    milestones: milestones(tree),
    issues: issues(tree, notes),
    merge_requests: mergeRequests(tree, notes),
    releases: releases(tree),
  }
  for (const [name, rows] of Object.entries(relations)) {
    const lines = async function* () {
      for await (const row of rows as AsyncIterable<object>) yield `${JSON.stringify(row)}\n`
    }
    await pipeline(Readable.from(lines()), createWriteStream(join(folder, 'tree', 'project', `${name}.ndjson`)))
  }
}
