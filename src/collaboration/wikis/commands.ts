/** Writes of wiki pages by the API: each is a commit in the repository of the wiki. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { commitToSide } from '../../code/side_repositories/commit.ts'
import { type SideCommit, storedSide } from '../../code/side_repositories/side_repository.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { defaultBranchOf, isValidShortName, type ObjectId, type Repository } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Upload } from '../../platform/kernel/declaration/types.ts'
import { conflict, invalid, notFound, Refusal, tooLarge } from '../../platform/kernel/errors.ts'
import { attachmentName, isSamePage, type PageFormat, pathOf, slugAfter, slugOf, titleFailures } from './names.ts'
import { findPage, lastCommitOf, type PageRow, type PageWithContent, pageNamed, pagesAt, withContent } from './queries.ts'
import type { Wiki } from './repository.ts'

/** A page as it is written. */
export interface NewPage {
  readonly title: string
  readonly content: string
  readonly format?: PageFormat | undefined
  /** The message of the commit; default: what was done, by whom. */
  readonly message?: string | undefined
}

/** A change of a page; what is not given stays. */
export interface PageChange extends Partial<NewPage> {
  /** Refuses the change if the page has another last commit than this one. */
  readonly last_commit_sha?: string | undefined
}

/** The largest page that is written, in bytes (`wiki_page_max_content_bytes` of the platform). */
const MAX_BYTES = 50 * 1024 * 1024

const duplicate = () => invalid({ base: ['Duplicate page: A page with that title already exists'] })

/** The bytes of a page. @throws Refusal 400 for a page that says nothing, or too much */
function bytesOf(content: string): Buffer {
  if (content.trim() === '') throw invalid({ content: ["can't be blank"] })
  const bytes = Buffer.from(content.replaceAll('\r\n', '\n'))
  if (bytes.length > MAX_BYTES) throw invalid({ content: [`is too long (${mb(bytes.length)}). The maximum size is ${mb(MAX_BYTES)}.`] })
  return bytes
}

const mb = (bytes: number): string => `${Math.round((bytes / (1024 * 1024)) * 10) / 10} MB`

const pagesIn = async (repository: Repository, tip: ObjectId | undefined): Promise<PageRow[]> => (tip ? pagesAt(repository, tip) : [])

/** The message of a commit for which none is given. */
const messageOf = ({ actor }: Context, action: string, title: string): string => `${actor.user?.username} ${action} page: ${title}`

/**
 * Writes a new page.
 * @throws Refusal 400 for a title that a page cannot have, or that another page has
 */
export async function createPage(ctx: Context, { side }: Wiki, given: NewPage): Promise<PageWithContent> {
  const { title, format = 'markdown' } = given
  const failures = titleFailures(title)
  if (failures) throw invalid(failures)
  const content = bytesOf(given.content)
  const slug = slugOf(title)
  await commitToSide(ctx, side, async (repository, tip) => {
    if (pageNamed(await pagesIn(repository, tip), slug)) throw duplicate()
    return {
      message: given.message || messageOf(ctx, 'created', title),
      actions: [{ action: 'create', file_path: pathOf(slug, format), content }],
    }
  })
  return withContent(await findPage(ctx, side, slug))
}

/**
 * Changes a page: what it says, its title, its format.
 * @throws Refusal 404 if it is gone; 409 if another user has changed it since `last_commit_sha`
 */
export async function updatePage(ctx: Context, { side }: Wiki, slug: string, given: PageChange): Promise<PageWithContent> {
  const { title, format, content, last_commit_sha } = given
  const failures = title === undefined ? undefined : titleFailures(title)
  if (failures) throw invalid(failures)
  const bytes = content === undefined ? undefined : bytesOf(content)
  let next = slug
  await commitToSide(ctx, side, async (repository, tip): Promise<SideCommit> => {
    const pages = await pagesIn(repository, tip)
    const page = pageNamed(pages, slug)
    if (!page) throw notFound('Wiki Page')
    if (last_commit_sha && (await lastCommitOf(page))?.id !== last_commit_sha)
      throw conflict('Someone edited the page since you opened it. Compare what you wrote with the page as it is now.')
    next = title === undefined ? page.slug : slugAfter(page.slug, title)
    if (next !== page.slug && pages.some(other => other !== page && isSamePage(other.slug, next))) throw duplicate()
    const path = format !== undefined && format !== page.format ? pathOf(next, format) : next + page.path.slice(page.path.lastIndexOf('.'))
    const message = given.message || messageOf(ctx, 'updated', title ?? page.title)
    if (path !== page.path)
      return { message, actions: [{ action: 'move', file_path: path, previous_path: page.path, ...(bytes && { content: bytes }) }] }
    const isSame = bytes === undefined || bytes.equals(Buffer.from((await withContent(page)).content))
    return { message, actions: isSame ? [] : [{ action: 'update', file_path: path, content: bytes }] }
  })
  return withContent(await findPage(ctx, side, next))
}

/** Deletes a page; its history stays. @throws Refusal 404 */
export async function deletePage(ctx: Context, wiki: Wiki, slug: string): Promise<void> {
  // Nothing is made on disk for a wiki that has no page.
  await findPage(ctx, wiki.side, slug)
  await commitToSide(ctx, wiki.side, async (repository, tip) => {
    const page = pageNamed(await pagesIn(repository, tip), slug)
    if (!page) throw notFound('Wiki Page')
    return { message: messageOf(ctx, 'deleted', page.title), actions: [{ action: 'delete', file_path: page.path }] }
  })
}

/** A file that was attached. */
export interface Attachment {
  readonly file_name: string
  readonly file_path: string
  readonly branch: string
}

/** Keeps a file in the folder `uploads` of the wiki. @throws Refusal 400 for another branch than that of the pages; 413 */
export async function attachFile(ctx: Context, { side }: Wiki, file: Upload, branch: string | undefined): Promise<Attachment> {
  const limit = (await applicationSettings(ctx.db)).max_attachment_size * 1024 * 1024
  if (file.size > limit) throw tooLarge(limit)
  const file_name = attachmentName(file.filename)
  const file_path = `uploads/${randomBytes(16).toString('hex')}/${file_name}`
  const content = await readFile(file.file)
  await commitToSide(ctx, side, async repository => {
    if (branch !== undefined && (!isValidShortName(branch) || branch !== (await defaultBranchOf(repository))))
      throw new Refusal('bad_request', { message: 'You can only create or edit files when you are on a branch' })
    return { message: `Upload attachment ${file_name}`, actions: [{ action: 'create', file_path, content }] }
  })
  const repository = await storedSide(ctx.deps.storages, side)
  return { file_name, file_path, branch: (repository && (await defaultBranchOf(repository))) ?? '' }
}
