/** The views of snippets: lists of them, their files. */
import { pathOf, rawPathOf } from '../../collaboration/snippets/entity.ts'
import type { SnippetRow } from '../../collaboration/snippets/queries.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** A snippet as the API answers it. */
export interface ShownSnippet {
  readonly id: number
  readonly title: string
  readonly visibility: string
  readonly web_url: string
  readonly updated_at: string
  readonly created_at: string
  readonly http_url_to_repo: string
  readonly ssh_url_to_repo: string
  readonly files: readonly { readonly path: string }[]
  readonly author: { readonly name: string; readonly username: string; readonly avatar_url: string | null }
}

const icons: Readonly<Record<string, IconName>> = { private: 'lock', internal: 'shield', public: 'globe' }

/** Who may see a snippet, as a word with its picture. */
export const visibilityView = (visibility: string): Html => html`<span>${icon(icons[visibility] ?? 'lock')} ${visibility}</span>`

const filesText = (count: number): string => (count === 1 ? '1 file' : `${count} files`)

/** A list of snippets. */
export const snippetList = (rows: readonly ShownSnippet[]): Html =>
  html`<ul class="list" data-list>${rows.map(
    row =>
      html`<li>${avatar(row.author, 32)}<div class="main"><div class="title">${pageLink(row.web_url, row.title)}</div><div class="facts"><span>$${row.id}</span><a class="quiet" href="/${row.author.username}">${row.author.name}</a><span>${filesText(row.files.length)}</span>${visibilityView(row.visibility)}${time(row.updated_at)}</div></div></li>`,
  )}</ul>`

/** A file as its page shows it: lines, or why there are none. */
export interface ShownFile {
  readonly path: string
  /** In bytes. */
  readonly size: number
  readonly shown: { readonly lines: readonly Html[]; readonly text: string } | { readonly why: string }
}

/** The panel of a file: its name, its buttons, its lines. `at`: its place among the files, which the addresses of its lines begin with. */
export function fileView(snippet: SnippetRow, { path, size, shown }: ShownFile, at: number): Html {
  const raw = rawPathOf(snippet, snippet.default_branch, path)
  return html`<section class="panel file" aria-label="${path}"><header class="row apart"><span><strong class="mono">${path}</strong> <span class="small muted">${bytesText(size)}</span></span><div class="row"><a class="btn btn-sm" href="${raw}" data-turbo="false">Raw</a>
<a class="btn btn-sm" href="${raw}?inline=false" data-turbo="false" download>${icon('download', 'Download')}</a>${'text' in shown && copyButton('Copy the file', shown.text)}</div></header>
${'why' in shown ? html`<div class="body"><p>${shown.why}</p></div>` : linesView(shown.lines, `f${at}-L`)}</section>`
}

const linesView = (lines: readonly Html[], prefix: string): Html =>
  html`<div class="lines" tabindex="0"><table class="code" role="presentation"><tbody>${lines.map(
    (line, at) =>
      html`<tr id="${prefix}${at + 1}"><td class="number"><a href="#${prefix}${at + 1}" data-line="${at + 1}" aria-label="Line ${at + 1}"></a></td><td class="text">${line}</td></tr>`,
  )}</tbody></table></div>`

/** How a snippet is cloned. */
export const cloneView = ({ http_url_to_repo, ssh_url_to_repo }: ShownSnippet): Html =>
  html`<details class="panel"><summary class="body">Clone</summary><div class="body stack"><div class="row apart"><code class="mono">${http_url_to_repo}</code>${copyButton('Copy the address for HTTP', http_url_to_repo)}</div><div class="row apart"><code class="mono">${ssh_url_to_repo}</code>${copyButton('Copy the address for SSH', ssh_url_to_repo)}</div></div></details>`

/** The path of a page of a snippet. */
export const snippetPath = (snippet: SnippetRow, rest = ''): string => `${pathOf(snippet)}${rest}`
