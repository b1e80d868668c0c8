/** The view of blame: a file by blocks of lines, each with the commit that last changed it. */
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { commitPage, revisionPage } from '../addresses.ts'
import type { BlameBlock, FileBlame } from './queries.ts'

interface BlamedFile {
  readonly project: { readonly full_path: string }
  readonly ref: string
  readonly path: string
  readonly blame: FileBlame
}

/** The panel of a file with its buttons. */
export const blamePanel = ({ project, ref, path, blame }: BlamedFile): Html =>
  html`<section class="panel file" aria-label="${path}"><header class="row apart"><span class="small muted">Blame: who last changed each line</span><div class="row"><a class="btn btn-sm" href="${revisionPage(project, 'blob', ref, path)}">${icon('file')} Normal view</a><a class="btn btn-sm" href="${revisionPage(project, 'commits', ref, path)}">${icon('history')} History</a></div></header>
${blame.kind === 'blocks' ? blocksView(project, path, blame.blocks) : html`<div class="body"><p>${said[blame.kind]}</p></div>`}</section>`

const said = {
  binary: 'The file is not a text: it has no lines.',
  large: 'The file is too large for blame.',
} as const

function blocksView(project: BlamedFile['project'], path: string, blocks: readonly BlameBlock[]): Html {
  if (blocks.length === 0) return html`<div class="body"><p class="muted">There are no lines here.</p></div>`
  const ageOf = agesOf(blocks)
  return html`<line-range><table class="code blame" aria-label="Lines of ${path} with the commits that last changed them"><thead class="sr-only"><tr><th scope="col">Commit</th><th scope="col">Line</th><th scope="col">Code</th></tr></thead>${blocks.map(
    block =>
      html`<tbody class="age-${ageOf(block)}">${block.lines.map((line, index) => html`<tr id="L${block.start + index}">${index === 0 && html`<th scope="rowgroup" rowspan="${block.lines.length}">${commitCell(project, block)}</th>`}<td class="number"><a href="#L${block.start + index}" data-line="${block.start + index}" aria-label="Line ${block.start + index}"></a></td><td class="text">${line}</td></tr>`)}</tbody>`,
  )}</table></line-range>`
}

const commitCell = (project: BlamedFile['project'], { commit, previous }: BlameBlock): Html =>
  html`<div class="blamed"><a class="quiet truncate" href="${commitPage(project, commit.id)}" title="${commit.title}">${commit.title || 'No message'}</a><span class="facts">${previous && html`<a href="${revisionPage(project, 'blame', previous.commit, previous.path)}" aria-label="Blame before ${commit.id.slice(0, 8)}" title="Blame before this change">${icon('history')}</a>`}<span class="truncate">${commit.author.name}</span>${time(commit.author.date)}</span></div>`

/** Shades of age on a page. */
const AGES = 5

/** The shade of a block: 1 for the oldest commits of the page, `AGES` for the newest. */
function agesOf(blocks: readonly BlameBlock[]): (block: BlameBlock) => number {
  const times = blocks.map(({ commit }) => Date.parse(commit.author.date))
  const oldest = Math.min(...times)
  const span = Math.max(...times) - oldest
  return ({ commit }) => (span === 0 ? AGES : 1 + Math.round(((Date.parse(commit.author.date) - oldest) / span) * (AGES - 1)))
}
