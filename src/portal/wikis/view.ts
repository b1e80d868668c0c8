/** The pages of a wiki as HTML. */
import { wikiPath } from '../../collaboration/wikis/links.ts'
import { HOME } from '../../collaboration/wikis/names.ts'
import type { PageRow } from '../../collaboration/wikis/queries.ts'
import { isRendered } from '../../collaboration/wikis/rendering.ts'
import type { Commit } from '../../platform/git/index.ts'
import { copyField } from '../../platform/pages/components/copy.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** Pages that the list beside a page names. */
const MOST_LISTED = 200

/** What stands beside a page. */
export interface Side {
  readonly base: string
  readonly pages: readonly PageRow[]
  /** Of the page that is shown. */
  readonly current?: string | undefined
  /** The page `_sidebar`, rendered, in place of the list. */
  readonly own?: Html | undefined
  readonly mayWrite: boolean
  /** Addresses to clone from, for those who may. */
  readonly clone?: { readonly http: string; readonly ssh: string } | undefined
}

const listItem = (base: string, { slug, title }: PageRow, current: string | undefined): Html => {
  const folder = slug.includes('/') && slug.slice(0, slug.lastIndexOf('/') + 1).replaceAll('-', ' ')
  return html`<li><a class="quiet" href="${wikiPath(base, slug)}"${slug === current && html` aria-current="page"`}>${folder && html`<span class="muted">${folder}</span>`}${title}</a></li>`
}

export const sideView = ({ base, pages, current, own, mayWrite, clone }: Side): Html =>
  html`<aside class="stack" aria-label="Wiki">${mayWrite && html`<div><a class="btn btn-primary" href="${base}/new">New page</a></div>`}
<section><h2>Pages</h2>${own ? html`<div class="markdown-body">${own}</div>` : html`<ul class="plain-list stack small-stack">${pages.slice(0, MOST_LISTED).map(page => listItem(base, page, current))}</ul>`}${(own || pages.length > MOST_LISTED) && html`<p><a class="small" href="${base}/pages">All ${pages.length} pages</a></p>`}</section>
${clone && html`<section><h2>Clone</h2><div class="stack">${copyField('HTTP address', clone.http)}${copyField('SSH address', clone.ssh)}</div></section>`}</aside>`

/** A page with what can be done with it. */
export interface ShownPage {
  readonly page: PageRow
  readonly body: Html
  readonly last: Commit | undefined
  /** It is not the newest version. */
  readonly isOld: boolean
  readonly buttons: Html
}

export const pageView = (base: string, { page, body, last, isOld, buttons }: ShownPage, side: Html): Html =>
  html`<div class="columns"><article class="stack"><div class="row apart"><h1>${page.slug === HOME ? 'Home' : page.title}</h1><div class="row">${buttons}</div></div>
${isOld && html`<div class="notice">${icon('history')}<span>This is the page as it was. <a href="${wikiPath(base, page.slug)}">See it as it is now</a>.</span></div>`}
${last && html`<p class="muted small">${last.author.name} changed it ${time(last.committer.date)}</p>`}
${!isRendered(page.format) && html`<p class="muted small">Pages in this format are shown as they are written.</p>`}
<div class="markdown-body">${body}</div></article>${side}</div>`

/** What stands where a page is not. */
export const missingView = (base: string, slug: string, title: string, mayWrite: boolean, side: Html): Html =>
  html`<div class="columns"><div>${empty({
    icon: 'book',
    title: 'There is no page of this name yet',
    says: mayWrite ? `Write “${title}” and links to it lead there.` : 'The people of this place may write it.',
    action: mayWrite
      ? html`<a class="btn btn-primary" href="${base}/new?title=${encodeURIComponent(slug.replaceAll('-', ' '))}">Write this page</a>`
      : undefined,
  })}</div>${side}</div>`

/** What stands where a wiki has no page. */
export const emptyWikiView = (base: string, mayWrite: boolean, side: Html): Html =>
  html`<div class="columns"><div>${empty({
    icon: 'book',
    title: 'The wiki has no pages yet',
    says: 'A wiki is for what people should find and keep up to date together: how to begin, how things work, what was decided. It is a git repository, too.',
    action: mayWrite ? html`<a class="btn btn-primary" href="${base}/new?title=${HOME}">Write the first page</a>` : undefined,
  })}</div>${side}</div>`

export const listView = (base: string, pages: readonly PageRow[], side: Html): Html =>
  html`<div class="columns"><div><ul class="list">${pages.map(({ slug, title, format }) => html`<li><div class="main"><a class="title" href="${wikiPath(base, slug)}">${title}</a><div class="facts"><span class="mono">${slug}</span><span>${format}</span></div></div></li>`)}</ul></div>${side}</div>`

export const historyView = (base: string, page: PageRow, commits: readonly Commit[], links: Html | undefined): Html =>
  html`<p><a href="${wikiPath(base, page.slug)}">${page.title}</a></p><ul class="list">${commits.map(
    ({ id, message, author, committer }) =>
      html`<li><div class="main"><a class="title" href="${wikiPath(base, page.slug)}?version=${id}">${message.split('\n', 1)[0] || id.slice(0, 8)}</a><div class="facts"><span>${author.name}</span>${time(committer.date)}<span class="mono">${id.slice(0, 8)}</span></div></div></li>`,
  )}</ul>${links}`
