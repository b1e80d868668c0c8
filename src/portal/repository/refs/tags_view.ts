/** The view of a list of tags (the JSON of the tags API becomes HTML). */
import type { Context } from '../../../platform/kernel/context.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { releasePath } from '../../releases/release_view.ts'
import { archivePath, commitPage, revisionPage } from '../addresses.ts'

/** The fields of a tag that the list shows. */
export interface ListedTag {
  readonly name: string
  readonly message: string
  /** Null where it names a directory or a file. */
  readonly commit: { readonly id: string; readonly title: string; readonly committed_date: string } | null
  readonly release: { readonly tag_name: string } | null
  readonly protected: boolean
}

/** What the view needs of the project and the caller. */
export interface TagsView {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  readonly project: { readonly full_path: string }
  /** May the caller delete this tag? */
  readonly mayDelete: (tag: ListedTag) => boolean
}

export const tagList = (view: TagsView, tags: readonly ListedTag[]): Html =>
  html`<ul class="list" data-list>${tags.map(tag => tagItem(view, tag))}</ul>`

function tagItem({ ctx, project, mayDelete }: TagsView, tag: ListedTag): Html {
  const { name, commit } = tag
  const message = tag.message.trim()
  const face = commit
    ? html`<a class="mono" href="${revisionPage(project, 'tree', name)}">${name}</a>`
    : html`<span class="mono">${name}</span>`
  return html`<li>${icon('tag')}<div class="main"><div class="title row">${face} ${copyButton(`Copy the name ${name}`, name)} ${tag.release && html`<a href="${releasePath(project, name)}">${chip('Release', 'success', 'rocket')}</a>`} ${tag.protected && chip('Protected', 'plain', 'lock')}</div>
<div class="facts">${commit ? html`<a class="mono" href="${commitPage(project, commit.id)}">${commit.id.slice(0, 8)}</a><span>${commit.title}</span>${time(commit.committed_date)}` : 'Not of a commit'}</div>${message !== '' && html`<pre class="message">${message}</pre>`}</div>
<div class="row">${commit && (['zip', 'tar.gz'] as const).map(format => html`<a class="btn btn-sm" href="${archivePath(project, name, format)}" data-turbo="false" download aria-label="Download ${name} as ${format}">${icon('download')} ${format}</a>`)}${mayDelete(tag) && actionButton(ctx, { to: projectPath(project, `/-/tags/${encodeURIComponent(name)}/delete`), face: icon('trash'), look: 'bare', label: `Delete ${name}`, asks: `Delete the tag ${name}?` })}</div></li>`
}
