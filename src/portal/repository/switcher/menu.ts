/** The menu with which a page about a revision changes to another branch or tag, and the one with its downloads. Pure. */
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { archivePath, encodePath, revisionPage } from '../addresses.ts'

/** The pages that the menu is on. */
export const switchedKinds = ['tree', 'blob', 'blame', 'commits', 'find_file', 'network'] as const
export type SwitchedKind = (typeof switchedKinds)[number]

/** What a page shows, and of which revision. */
export interface Switched {
  readonly project: { readonly full_path: string }
  readonly kind: SwitchedKind
  readonly ref: string
  readonly path: string
}

/** The page that lists the branches and tags to change to; also what the menu loads. */
const switchPage = ({ project, ref, path }: Omit<Switched, 'kind'>): string =>
  projectPath(project, `/-/switch/${encodePath(ref)}${path === '' ? '' : `/${encodePath(path)}`}`)

/** The search field of the list: with a script it searches while one types. */
const switchForm = (shown: Switched, search: string): Html =>
  html`<live-search><form class="filter-bar" action="${switchPage(shown)}" data-turbo-frame="switch-list"><input type="hidden" name="kind" value="${shown.kind}"><label class="sr-only" for="switch-search">Branch or tag</label><input class="form-control input-sm" type="search" id="switch-search" name="search" value="${search}" placeholder="Branch or tag" autocomplete="off" data-menu-field><button class="btn btn-sm">Find</button></form></live-search>`

/** The menu. Its list is loaded when it is opened; without a script the search field leads to it. */
export const switchMenu = (shown: Switched): Html =>
  html`<details class="menu start switch"><summary class="btn btn-sm" data-hotkey="w" aria-label="Branch or tag: ${shown.ref}">${icon('git-branch')} <span class="truncate">${shortOf(shown.ref)}</span> ${icon('triangle-down')}</summary><div class="menu-items">${switchForm(shown, '')}<turbo-frame id="switch-list" loading="lazy" src="${switchPage(shown)}?kind=${shown.kind}"></turbo-frame></div></details>`

const shortOf = (ref: string): string => (/^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 8) : ref)

/** Some branches or tags, and how many more there are. */
export interface RefList {
  readonly title: string
  readonly names: readonly string[]
  readonly more: number
}

/** The field and the list, as the page shows them; the menu takes the list. */
export const switchList = (shown: Switched, search: string, lists: readonly RefList[]): Html =>
  html`${switchForm(shown, search)}<turbo-frame id="switch-list">${lists.map(
    ({ title, names, more }) =>
      html`<section aria-label="${title}"><div class="heading-text">${title}</div>${names.length === 0 ? html`<p class="heading-text">None</p>` : html`<ul class="plain-list">${names.map(name => html`<li><a href="${revisionPage(shown.project, shown.kind, name, shown.path)}" data-turbo-frame="_top"${name === shown.ref && html` aria-current="true"`}>${name}</a></li>`)}</ul>`}${more > 0 && html`<p class="heading-text">and ${more} more: search for them</p>`}</section>`,
  )}</turbo-frame>`

/** The downloads of the files of a revision. */
export const downloadMenu = ({ project, ref }: Pick<Switched, 'project' | 'ref'>): Html =>
  html`<details class="menu"><summary class="btn btn-sm">${icon('download')} Download ${icon('triangle-down')}</summary><div class="menu-items">${(['zip', 'tar.gz'] as const).map(format => html`<a href="${archivePath(project, ref, format)}" data-turbo="false" download>${icon('file-binary')}${format}</a>`)}</div></details>`

/** The link to the file finder. */
export const findButton = ({ project, ref }: Pick<Switched, 'project' | 'ref'>): Html =>
  html`<a class="btn btn-sm" href="${revisionPage(project, 'find_file', ref)}" data-hotkey="t" title="Find a file (t)">${icon('search')} Find file</a>`
