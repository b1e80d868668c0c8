/** Reads of a file for its page. */
import { isUtf8 } from 'node:buffer'
import { MARKDOWN_LENGTH } from '../../../collaboration/markdown/document.ts'
import { linksOf } from '../../../collaboration/markdown/links.ts'
import { renderAsciidoc, renderMarkdown } from '../../../collaboration/markdown/reading.ts'
import { decodeText, lastCommitFor, type ObjectId, objectInfo, type Repository, readBlob } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Html } from '../../../platform/pages/html.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { markdownBody } from '../../markdown/body.ts'
import { editableAt, fileButtons } from '../editor/buttons.ts'
import { linesSoon } from '../highlight/highlight.ts'
import { symbolsOf } from '../highlight/symbols.ts'
import type { RevisionPath } from '../scope.ts'
import { isAsciidoc, isBinary, isMarkdown, isPdf, lfsPointer, pictureType } from './blob_kind.ts'
import type { FileContent, ShownFile } from './blob_view.ts'
import { withinRepository } from './relative_links.ts'
import { renderedFile } from './rendered/content.ts'
import { headingsMenu, symbolsMenu } from './symbols_menu.ts'
import { linkTargetOf } from './targets/link.ts'
import { parentOf } from './tree_view.ts'

/** Bytes of a file whose lines are shown, and how many of them are: each costs some hundred bytes of a page. */
const MOST_SHOWN = 2 * 1024 * 1024
const MOST_LINES = 20_000

type Reader = Context & {
  readonly project: ProjectWithRole
  readonly repository: Repository
  readonly revision: RevisionPath
  readonly blobId: ObjectId
  /** It is a symbolic link. */
  readonly isLink: boolean
}

/** The file that an address names. `plain`: its source, also where it would be rendered. */
export async function fileOf(ctx: Reader, plain: boolean): Promise<ShownFile> {
  const { project, repository, revision, blobId } = ctx
  const { ref, commit, path } = revision
  const sizeOf = async () => (await objectInfo(repository, [blobId]))[0]?.size ?? 0
  const shown = async (size: number) => ({ size, content: await (ctx.isLink ? linkOf(ctx, size) : contentOf(ctx, blobId, size, plain)) })
  // The walk through a long history takes as long as the lines.
  const [{ size, content }, lastCommit, editable] = await Promise.all([
    sizeOf().then(shown),
    lastCommitFor(repository, commit, path),
    editableAt(ctx, project, repository, ref),
  ])
  const isText = ('encoding' in content && content.encoding === 'UTF-8') || (content.kind === 'picture' && path.endsWith('.svg'))
  const changing = fileButtons(project, editable, path, isText)
  return { project, ref, commitId: commit, path, size, lastCommit, content, symbols: await menuOf(blobId, path, content), changing }
}

async function menuOf(id: ObjectId, path: string, content: FileContent): Promise<Html | undefined> {
  if (content.kind === 'lines') return symbolsMenu(await symbolsOf(id, path, content.text))
  return content.kind === 'rendered' && content.look !== 'own' ? headingsMenu(content.body) : undefined
}

/** Characters of a path, and bytes of a link, which is one. */
const LONGEST_PATH = 16 * 1024

async function linkOf({ repository, revision: { commit, path }, blobId }: Reader, size: number): Promise<FileContent> {
  if (size > LONGEST_PATH) return { kind: 'large' }
  const written = decodeText(await readBlob(repository, blobId, LONGEST_PATH))
  return { kind: 'link', target: await linkTargetOf(repository, commit, path, written) }
}

async function contentOf(ctx: Reader, id: string, size: number, plain: boolean): Promise<FileContent> {
  const { project, repository, revision } = ctx
  const { path } = revision
  if (!plain && pictureType(path) !== undefined) return { kind: 'picture' }
  if (!plain && isPdf(path)) return { kind: 'pdf' }
  if (size > MOST_SHOWN) return { kind: 'large' }
  const bytes = await readBlob(repository, id, MOST_SHOWN)
  if (isBinary(bytes)) return { kind: 'binary' }
  const text = decodeText(bytes)
  const encoding = isUtf8(bytes) ? 'UTF-8' : 'Latin-1'
  const pointer = lfsPointer(text)
  if (pointer) return { kind: 'lfs', pointer, encoding }
  const prose = plain ? undefined : await renderedProse(ctx, project, revision, text)
  if (prose) return { kind: 'rendered', body: prose, encoding }
  const rendered = plain ? undefined : await renderedFile(id, path, text)
  if (rendered) return { kind: 'rendered', body: rendered, look: 'own', encoding }
  const shown = firstLines(text, MOST_LINES)
  const isCut = shown.length < text.length
  // The beginning of a file has lines of its own in the cache of the highlighter.
  return { kind: 'lines', lines: await linesSoon(isCut ? `${id} ${MOST_LINES}` : id, path, shown), text, isCut, encoding }
}

/** The first lines of a text; all of it where there are no more. */
function firstLines(text: string, most: number): string {
  let end = 0
  for (let line = 0; line < most; line++) {
    end = text.indexOf('\n', end) + 1
    if (end === 0) return text
  }
  return text.slice(0, end)
}

/** A file of Markdown or AsciiDoc as HTML, whose links lead to the files beside it; undefined for others, and for what is too long or too complex. */
export async function renderedProse(
  ctx: Context,
  project: ProjectWithRole,
  { ref, path }: Pick<RevisionPath, 'ref' | 'path'>,
  text: string,
): Promise<Html | undefined> {
  if (text.length > MARKDOWN_LENGTH || !(isMarkdown(path) || isAsciidoc(path))) return undefined
  const rendering = isAsciidoc(path) ? renderAsciidoc(text) : renderMarkdown(text, references => linksOf(ctx, project, references))
  const rendered = await rendering.catch(() => undefined)
  return rendered === undefined ? undefined : markdownBody(withinRepository(rendered, { project, ref, directory: parentOf(path) }))
}
