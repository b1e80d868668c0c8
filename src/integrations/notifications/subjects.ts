/** What a notification is about: an item or a commit with its place. A fixed number of statements. */
import { type ItemKind, itemKindOf } from '../../collaboration/item_kinds/item_kind.ts'
import { columnOf, type NoteableKey } from '../../collaboration/item_kinds/kinds.ts'
import type { TextPlace } from '../../collaboration/mentions/text_place.ts'
import { snippetTextPlace } from '../../collaboration/snippets/item_kind/readers.ts'
import { snippetById } from '../../collaboration/snippets/queries.ts'
import { epicTextPlace } from '../../planning/epics/item_kind/readers.ts'
import { epicById } from '../../planning/epics/queries.ts'
import { issueTextPlace } from '../../planning/issues/item_kind/readers.ts'
import { issueById } from '../../planning/issues/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { MailSubject } from '../../platform/mail/outbox.ts'
import type { Noun } from '../../platform/mail/words/catalogue.ts'
import { commitTextPlace } from '../../review/commit_comments/kind.ts'
import { commentedCommitById } from '../../review/commit_comments/queries.ts'
import { mergeRequestTextPlace } from '../../review/merge_requests/item_kind/readers.ts'
import { mergeRequestById } from '../../review/merge_requests/queries.ts'
import { type GroupRow, groupsById } from '../../spaces/groups/queries.ts'
import { type ProjectRow, projectsById } from '../../spaces/projects/queries.ts'

/** An item with what its mails need. */
export interface Subject {
  readonly key: NoteableKey
  readonly what: Noun
  /** `!12`. */
  readonly reference: string
  readonly title: string
  readonly description: string | null
  readonly authorId: number
  readonly dueDate: string | null
  readonly placeName: string
  /** Of its page. */
  readonly url: string
  readonly text: TextPlace
  readonly headers: Readonly<Record<string, string>>
  /** The key of its thread of mails. */
  readonly thread: string
}

/** Headers by which mail programs sort what comes from a project. */
export const projectHeaders = ({ url }: Pick<Context, 'url'>, { id, name, full_path }: ProjectRow): Record<string, string> => ({
  'X-GitLab-Project': name,
  'X-GitLab-Project-Id': String(id),
  'X-GitLab-Project-Path': full_path,
  'List-Id': listId(url, id, full_path),
})

/** The same of a group. */
export const groupHeaders = ({ url }: Pick<Context, 'url'>, { id, full_path }: GroupRow): Record<string, string> => ({
  'X-GitLab-Group-Id': String(id),
  'X-GitLab-Group-Path': full_path,
  'List-Id': listId(url, id, full_path),
})

/** RFC 2919: a name of the list within the host, from the inside out. */
const listId = (url: string, id: number, path: string): string =>
  `${path} <${[id, ...path.split('/').reverse()].join('.')}.${new URL(url).hostname}>`

/** The noun of a kind in headers. */
const headerNames = {
  issue_id: 'Issue',
  merge_request_id: 'MergeRequest',
  epic_id: 'Epic',
  commented_commit_id: 'Commit',
  snippet_id: 'Snippet',
} as const

interface Item {
  readonly id: number
  readonly iid: number
  readonly title: string
  readonly description: string | null
  readonly author_id: number
  readonly due_date?: string | null
}

function subjectOf(
  ctx: Pick<Context, 'url'>,
  key: NoteableKey,
  item: Item,
  { text, name, headers }: { readonly text: TextPlace; readonly name: string; readonly headers: Readonly<Record<string, string>> },
): Subject {
  const kind = itemKindOf(key)[0] as ItemKind
  const noun = headerNames[columnOf(key)[0]]
  return {
    key,
    what: kind.noun,
    reference: `${kind.sigil}${item.iid}`,
    title: item.title,
    description: item.description,
    authorId: item.author_id,
    dueDate: item.due_date ?? null,
    placeName: name,
    url: `${ctx.url}/${kind.pageOf(text.path, item.iid)}`,
    text,
    headers: { ...headers, [`X-GitLab-${noun}-ID`]: String(item.id), [`X-GitLab-${noun}-IID`]: String(item.iid) },
    thread: `${kind.noun}_${item.id}`,
  }
}

/** A commit, which has an id in place of a number. Its author gets no notification: git's names are no accounts. */
async function commitSubject(ctx: Context, key: { readonly commented_commit_id: number }): Promise<Subject | undefined> {
  const row = await commentedCommitById(ctx.db, key.commented_commit_id)
  const project = row && (await projectsById(ctx.db, [row.project_id])).get(row.project_id)
  if (!row || !project) return undefined
  return {
    key,
    what: 'commit',
    reference: row.sha.slice(0, 8),
    title: row.title,
    description: null,
    authorId: 0,
    dueDate: null,
    placeName: project.name,
    url: `${ctx.url}/${project.full_path}/-/commit/${row.sha}`,
    text: commitTextPlace(project, row),
    headers: { ...projectHeaders(ctx, project), 'X-GitLab-Commit-ID': row.sha },
    thread: `commit_${row.id}`,
  }
}

/** A snippet of a project, whose number is its id. */
async function snippetSubject(ctx: Context, key: { readonly snippet_id: number }): Promise<Subject | undefined> {
  const row = await snippetById(ctx.db, key.snippet_id)
  const project = row && row.project_id !== null ? (await projectsById(ctx.db, [row.project_id])).get(row.project_id) : undefined
  if (!row || !project) return undefined
  const text = snippetTextPlace(project, row)
  return subjectOf(ctx, key, { ...row, iid: row.id }, { text, name: project.name, headers: projectHeaders(ctx, project) })
}

/** The item, commit or snippet with this key; undefined if it, or its place, is gone. */
export async function findSubject(ctx: Context, key: NoteableKey): Promise<Subject | undefined> {
  const { db } = ctx
  if ('commented_commit_id' in key) return commitSubject(ctx, key)
  if ('snippet_id' in key) return snippetSubject(ctx, key)
  if ('epic_id' in key) {
    const epic = await epicById(ctx, key.epic_id, null).catch(() => undefined)
    const group = epic && (await groupsById(db, [epic.namespace_id])).get(epic.namespace_id)
    return (
      epic && group && subjectOf(ctx, key, epic, { text: epicTextPlace(group, epic), name: group.name, headers: groupHeaders(ctx, group) })
    )
  }
  if ('issue_id' in key) {
    const issue = await issueById(db, key.issue_id, null)
    const project = issue && (await projectsById(db, [issue.project_id])).get(issue.project_id)
    return (
      issue &&
      project &&
      subjectOf(ctx, key, issue, { text: issueTextPlace(project, issue), name: project.name, headers: projectHeaders(ctx, project) })
    )
  }
  const row = await mergeRequestById(db, key.merge_request_id, null)
  const project = row && (await projectsById(db, [row.project_id])).get(row.project_id)
  return (
    row &&
    project &&
    subjectOf(ctx, key, row, { text: mergeRequestTextPlace(project, row), name: project.name, headers: projectHeaders(ctx, project) })
  )
}

/** What a mail must still be readable for when it is sent: the item, and the note that it shows, which must still be there. */
export const guardOf = (key: NoteableKey, note: { readonly id: number } | undefined): MailSubject => ({
  ...key,
  ...(note && { note_id: note.id }),
})
