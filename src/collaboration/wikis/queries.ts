/** Reads of wikis: from git, at the tip of HEAD's branch or at an older commit. */
import { type SideRepository, storedSide } from '../../code/side_repositories/side_repository.ts'
import { tipOf } from '../../code/side_repositories/tip.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import {
  countCommits,
  decodeText,
  entryAt,
  isObjectId,
  lastCommitFor,
  listCommits,
  listTree,
  type ObjectId,
  objectInfo,
  type Repository,
  readBlob,
  resolveCommit,
  TooLarge,
} from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { keyOf, type PageName, pageNameOf } from './names.ts'

type Reader = Pick<Context, 'deps'>
type Place = Pick<SideRepository, 'storage' | 'key'>

/** A page at a commit. */
export interface PageRow extends PageName {
  /** Of its contents. */
  readonly blob: ObjectId
  /** The commit at which it was read. */
  readonly at: ObjectId
  readonly repository: Repository
}

/** A page with what it says. */
export interface PageWithContent extends PageRow {
  readonly content: string
}

/** The largest page that is read, in bytes: more than one can be written by the API. */
export const MAX_CONTENT = 64 * 1024 * 1024

/** Bytes of all pages of a list together: a list is one answer, and is in memory as a whole. */
const MAX_LIST = 64 * 1024 * 1024

/** A wiki on disk and its newest commit; undefined for one without commits. */
export interface WikiState {
  readonly repository: Repository
  readonly tip: ObjectId
}

/** The newest state of a wiki. */
export async function wikiState({ deps }: Reader, side: Place): Promise<WikiState | undefined> {
  const repository = await storedSide(deps.storages, side)
  const tip = repository && (await tipOf(repository))
  return repository && tip !== undefined ? { repository, tip } : undefined
}

/** All pages at a commit, in the order of their paths. */
export const pagesAt = (repository: Repository, at: ObjectId): Promise<PageRow[]> => pagesBelow(repository, at, { recursive: true })

/** The pages of a directory, in the order of their paths. */
async function pagesBelow(
  repository: Repository,
  at: ObjectId,
  place: { readonly path: string } | { readonly recursive: true },
): Promise<PageRow[]> {
  const tree = await listTree(repository, { commit: at, ...place })
  const rows = (tree?.rows ?? []).flatMap(({ type, id, path, mode }) => {
    const name = type === 'blob' && mode !== '120000' ? pageNameOf(path) : undefined
    return name ? [{ ...name, blob: id, at, repository }] : []
  })
  return rows.sort((left, right) => (left.path < right.path ? -1 : 1))
}

/** All pages of a wiki. */
export async function pagesOf(ctx: Reader, side: Place): Promise<PageRow[]> {
  const state = await wikiState(ctx, side)
  return state ? pagesAt(state.repository, state.tip) : []
}

/** The page among these that a slug names: as it is written, or in another letter case and with spaces. */
export const pageNamed = (pages: readonly PageRow[], slug: string): PageRow | undefined =>
  pages.find(page => page.slug === slug) ?? pages.find(page => keyOf(page.slug) === keyOf(slug))

/** The page at a commit that a slug names. Most slugs are as they are written: their directory alone is read, not the tree of the whole wiki. */
async function pageAt(repository: Repository, at: ObjectId, slug: string): Promise<PageRow | undefined> {
  const near = await pagesBelow(repository, at, { path: slug.slice(0, Math.max(0, slug.lastIndexOf('/'))) })
  return near.find(page => page.slug === slug) ?? pageNamed(await pagesAt(repository, at), slug)
}

/**
 * The page that a slug names.
 * @param version the commit at which it is read; the newest unless given
 * @throws Refusal 404
 */
export async function findPage(ctx: Reader, side: Place, slug: string, version?: string): Promise<PageRow> {
  const state = await wikiState(ctx, side)
  if (!state) throw notFound('Wiki Page')
  const at =
    version === undefined || version === '' ? state.tip : isObjectId(version) ? await resolveCommit(state.repository, version) : undefined
  const page = at === undefined ? undefined : await pageAt(state.repository, at, slug)
  if (!page) throw notFound('Wiki Page')
  return page
}

/** What a page says. @throws TooLarge */
export async function withContent(page: PageRow): Promise<PageWithContent> {
  return { ...page, content: decodeText(await readBlob(page.repository, page.blob, MAX_CONTENT)) }
}

/** What a file says at a commit; undefined where one of them is gone, or it is too long. */
export async function contentAt(repository: Repository, at: ObjectId, path: string): Promise<string | undefined> {
  const entry = await entryAt(repository, at, path)
  if (entry?.type !== 'blob') return undefined
  try {
    return decodeText(await readBlob(repository, entry.id, MAX_CONTENT))
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

/** Bytes of what these say. @throws TooLarge if they are too many for one answer */
export async function bytesOf(pages: readonly PageRow[]): Promise<number> {
  const [first] = pages
  if (!first) return 0
  const found = await objectInfo(
    first.repository,
    pages.map(({ blob }) => blob),
  )
  const bytes = found.reduce((sum, info) => sum + (info?.size ?? 0), 0)
  if (bytes > MAX_LIST) throw new TooLarge(pages.length === 1 ? 'The page' : 'What the pages say', MAX_LIST)
  return bytes
}

/** What each of these says; the caller knows that they are not too long together (`bytesOf`). */
export async function withContents(pages: readonly PageRow[]): Promise<PageWithContent[]> {
  const read: PageWithContent[] = []
  for (const page of pages) read.push(await withContent(page))
  return read
}

/** The last commit that changed a page, up to that at which it was read. */
export const lastCommitOf = ({ repository, at, path }: PageRow) => lastCommitFor(repository, at, path)

/** Commits that changed a page, the newest first. */
export const versionsOf = ({ repository, at, path }: PageRow, offset: number, limit: number) =>
  listCommits(repository, { from: [at], path, offset, limit })

/** How many commits changed a page, counted up to `most`. */
export const countVersions = ({ repository, at, path }: PageRow, most: number): Promise<number> =>
  countCommits(repository, { from: [at], path }, most)

/** A file of the wiki that is no page: what was attached. */
export async function attachmentAt(
  ctx: Reader,
  side: Place,
  path: string,
): Promise<{ repository: Repository; blob: ObjectId } | undefined> {
  const state = await wikiState(ctx, side)
  const entry = state && (await entryAt(state.repository, state.tip, path))
  return state && entry?.type === 'blob' && entry.mode !== '120000' ? { repository: state.repository, blob: entry.id } : undefined
}

/** The rows of pages, for feeds: also of pages that are deleted. */
export const wikiPagesById = (db: Db, ids: readonly number[]) =>
  db.selectFrom('wiki_pages').select(['id', 'slug', 'title', 'format']).where('id', '=', anyOf(ids))
