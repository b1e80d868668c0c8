/** Releases as pages show them (the JSON of the releases API becomes HTML). Pure. */
import { avatar, type Pictured } from '../../platform/pages/components/avatar.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { progressView } from '../milestones/list_view.ts'
import { commitPage, revisionPage } from '../repository/addresses.ts'

/** The JSON of a release, as far as pages show it. What is about the code is absent for those who may not read it. */
export interface ShownRelease {
  readonly name: string
  readonly tag_name?: string
  readonly description: string | null
  readonly released_at: string
  readonly upcoming_release: boolean
  readonly author?: Pictured & { readonly username: string }
  readonly commit?: { readonly id: string; readonly short_id: string; readonly title: string } | null
  readonly milestones?: readonly {
    readonly title: string
    readonly web_url: string
    readonly issue_stats: { readonly total: number; readonly closed: number }
  }[]
  readonly assets: {
    readonly count: number
    readonly sources?: readonly { readonly format: string; readonly url: string }[]
    readonly links: readonly ShownLink[]
  }
  readonly evidences?: readonly { readonly sha: string; readonly filepath: string; readonly collected_at: string }[]
}

export interface ShownLink {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly direct_asset_url: string
  readonly external: boolean
  readonly link_type: string
}

/** What stands around a release on a page. */
export interface ReleaseFrame {
  readonly project: { readonly full_path: string }
  /** The notes as HTML. */
  readonly notes: Html
  readonly isLatest: boolean
  /** Buttons beside its name. */
  readonly buttons?: Html | undefined
  /** Buttons beside a link. */
  readonly linkButtons?: ((link: ShownLink) => Html) | undefined
}

/** The address of a release's page. Pure. */
export const releasePath = (project: { readonly full_path: string }, tag: string, rest = ''): string =>
  projectPath(project, `/-/releases/${encodeURIComponent(tag)}${rest}`)

const kinds: readonly (readonly [type: string, title: string])[] = [
  ['package', 'Packages'],
  ['image', 'Images'],
  ['runbook', 'Runbooks'],
  ['other', 'Other'],
]

const linksView = (links: readonly ShownLink[], frame: ReleaseFrame): readonly Html[] =>
  kinds.flatMap(([type, title]) => {
    const those = links.filter(({ link_type }) => link_type === type)
    if (those.length === 0) return []
    return [
      html`<h4>${title}</h4><ul class="plain-list">${those.map(link => html`<li class="row">${icon(link.external ? 'link-external' : 'link')}<a href="${link.direct_asset_url}" rel="noopener noreferrer" data-turbo="false">${link.name}</a>${link.external && html`<span class="muted small">elsewhere</span>`}${frame.linkButtons?.(link)}</li>`)}</ul>`,
    ]
  })

const assetsView = ({ assets }: ShownRelease, frame: ReleaseFrame): Html | undefined =>
  assets.count === 0
    ? undefined
    : html`<section class="release-part"><h3>Assets <span class="counter">${assets.count}</span></h3>${linksView(assets.links, frame)}${assets.sources && html`<h4>Sources</h4><ul class="plain-list row">${assets.sources.map(({ format, url }) => html`<li><a class="btn btn-sm" href="${url}" download data-turbo="false">${icon('download')} ${format}</a></li>`)}</ul>`}</section>`

const milestonesView = (milestones: NonNullable<ShownRelease['milestones']>): Html =>
  html`<section class="release-part"><h3>Milestones</h3><ul class="plain-list release-milestones">${milestones.map(({ title, web_url, issue_stats }) => html`<li>${icon('milestone')} ${pageLink(web_url, title)}<div class="small">${progressView(issue_stats)}</div></li>`)}</ul></section>`

const evidencesView = (evidences: NonNullable<ShownRelease['evidences']>): Html =>
  html`<section class="release-part"><h3>Evidence</h3><ul class="plain-list">${evidences.map(({ sha, filepath, collected_at }) => html`<li class="row"><a href="${filepath}" data-turbo="false">${icon('file')} ${filepath.split('/').at(-1)}</a><span class="mono" title="${sha}">${sha.slice(0, 12)}</span>${copyButton('Copy the SHA-256', sha)}<span class="muted small">collected ${time(collected_at)}</span></li>`)}</ul></section>`

/** Latest, upcoming, tag, commit, author and time. */
export const releaseFacts = (
  { upcoming_release, tag_name, commit, author, released_at }: ShownRelease,
  { project, isLatest }: ReleaseFrame,
): Html =>
  html`<div class="row facts item-facts">${isLatest && chip('Latest', 'success', 'rocket')}${upcoming_release && chip('Upcoming', 'attention', 'clock')}${tag_name !== undefined && html`<span>${icon('tag', 'Tag')} ${commit ? html`<a class="mono" href="${revisionPage(project, 'tree', tag_name)}">${tag_name}</a>` : html`<span class="mono">${tag_name}</span> (the tag is gone)`}</span>`}${commit && html`<span>${icon('git-commit', 'Commit')} <a class="mono" href="${commitPage(project, commit.id)}" title="${commit.title}">${commit.short_id}</a></span>`}<span>${author && html`${avatar(author, 20)} <a class="quiet strong" href="/${author.username}">${author.name}</a> `}${upcoming_release ? 'releases it' : 'released it'} ${time(released_at)}</span></div>`

/** Notes, milestones, assets and evidence. */
export const releaseBody = (release: ShownRelease, frame: ReleaseFrame): Html =>
  html`${release.description ? html`<div class="markdown-body">${frame.notes}</div>` : html`<p class="muted">No notes.</p>`}
${release.milestones && milestonesView(release.milestones)}${assetsView(release, frame)}${release.evidences && release.evidences.length > 0 && evidencesView(release.evidences)}`

/** A release in the list. */
export const releaseItem = (release: ShownRelease, frame: ReleaseFrame): Html =>
  html`<section class="panel release" aria-label="${release.name}"><header><h2>${release.tag_name === undefined ? release.name : html`<a href="${releasePath(frame.project, release.tag_name)}">${release.name}</a>`}</h2>${frame.buttons && html`<div class="row">${frame.buttons}</div>`}</header><div class="body">${releaseFacts(release, frame)}${releaseBody(release, frame)}</div></section>`
