/** The side column of a project's page. */
import { copyField } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { counted } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { revisionPage } from '../repository/addresses.ts'
import { topicPath } from '../topics/address.ts'

/** What the side column shows. */
export interface About {
  readonly project: ProjectRow
  /** Addresses to clone from; undefined for callers who may not read the code. */
  readonly clone: { readonly http: string; readonly ssh: string } | undefined
  /** The share of each language in percent, largest first. */
  readonly languages: readonly (readonly [name: string, share: number])[]
  /** Name of the licence. */
  readonly license: string | undefined
  readonly release: { readonly tag: string; readonly name: string; readonly released_at: string } | undefined
}

/** Colours of the bar, in the order of the languages. */
const COLOURS = 6
const BAR_WIDTH = 100

export const aboutView = ({
  project,
  clone,
  languages,
  license,
  release,
}: About): Html => html`<section><h2>About</h2><p>${project.description || html`<span class="muted">No description.</span>`}</p>
${project.topics.length > 0 && html`<p class="row">${project.topics.map(topic => html`<a class="chip accent" href="${topicPath(topic)}">${topic}</a>`)}</p>`}
<ul class="plain-list muted">
${license !== undefined && project.license_path !== null && html`<li class="row">${icon('law')}<a class="quiet" href="${revisionPage(project, 'blob', project.default_branch ?? 'HEAD', project.license_path)}">${license}</a></li>`}
<li class="row">${icon('star')}<a class="quiet" href="${projectPath(project, '/-/starrers')}">${counted(project.star_count, 'star')}</a></li>
<li class="row">${icon('repo-forked')}<a class="quiet" href="${projectPath(project, '/-/forks')}">${counted(project.forks_count, 'fork')}</a></li>
<li class="row">${icon('calendar')}<span>Created ${time(project.created_at)}</span></li>
</ul></section>
${clone && html`<section><h2>Clone</h2><div class="stack">${copyField('HTTP address', clone.http)}${copyField('SSH address', clone.ssh)}</div></section>`}
${release && html`<section><h2>Latest release</h2><p class="row">${icon('tag')}<a href="${projectPath(project, `/-/tags?search=${encodeURIComponent(release.tag)}`)}">${release.name}</a><span class="muted small">${time(release.released_at)}</span></p></section>`}
${languages.length > 0 && languagesView(languages)}`

/** The shares as a bar, with a list that says the same. */
function languagesView(languages: About['languages']): Html {
  let from = 0
  const parts = languages.map(([, share], index) => {
    const part = html`<rect class="language-${index % COLOURS}" x="${from.toFixed(2)}" width="${share.toFixed(2)}" height="${8}"/>`
    from += share
    return part
  })
  return html`<section><h2>Languages</h2><svg class="language-bar" viewBox="0 0 ${BAR_WIDTH} 8" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>
<ul class="plain-list row small">${languages.map(([name, share], index) => html`<li class="row"><svg class="octicon" viewBox="0 0 16 16" aria-hidden="true"><circle class="language-${index % COLOURS}" cx="8" cy="8" r="5"/></svg><span>${name}</span><span class="muted">${share.toFixed(1)} %</span></li>`)}</ul></section>`
}
