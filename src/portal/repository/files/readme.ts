/** The README of a directory, below its entries. */
import { MARKDOWN_LENGTH } from '../../../collaboration/markdown/document.ts'
import { type Repository, readBlob, TooLarge, type TreeRow } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { renderedProse } from './blob.ts'
import { isBinary } from './blob_kind.ts'

/** The README of a directory of `ref`, rendered; undefined where there is none that can be read as text. */
export async function readmePanel(
  ctx: Context,
  project: ProjectWithRole,
  repository: Repository,
  ref: string,
  readme: TreeRow | undefined,
): Promise<Html | undefined> {
  if (!readme) return undefined
  const bytes = await readBlob(repository, readme.id, MARKDOWN_LENGTH).catch(error => {
    if (error instanceof TooLarge) return undefined
    throw error
  })
  if (!bytes || isBinary(bytes)) return undefined
  const text = bytes.toString('utf8')
  const body = (await renderedProse(ctx, project, { ref, path: readme.path }, text)) ?? html`<pre class="scroll" tabindex="0">${text}</pre>`
  return html`<section class="panel section" aria-label="README"><header>${icon('book')}<strong>${readme.name}</strong></header><div class="body markdown-body">${body}</div></section>`
}
