/** Images and their tags as pages show them. Pure. */
import { imageNameOf } from '../../delivery/container_registry/names.ts'
import type { RepositoryRow } from '../../delivery/container_registry/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { Lines } from '../packages/install.ts'

/** The JSON of a tag. */
export interface ShownTag {
  readonly name: string
  readonly location: string
  readonly digest: string
  readonly created_at: string
  readonly total_size: number
  readonly short_revision: string | null
}

/** What is known of images, by the ids of their repositories. */
export interface Counted {
  readonly tags: ReadonlyMap<number, number>
  readonly sizes: ReadonlyMap<number, number>
}

/** The path of the list of images, or of what is below it. */
export const registryPath = (project: { readonly full_path: string }, rest = ''): string =>
  projectPath(project, `/-/container_registry${rest}`)

/** The list of images. `isInGroup`: each with its project. */
export const imageList = (rows: readonly RepositoryRow[], counted: Counted, isInGroup: boolean): Html =>
  html`<ul class="list" data-list>${rows.map(row => imageItem(row, counted, isInGroup))}</ul>`

function imageItem(row: RepositoryRow, { tags, sizes }: Counted, isInGroup: boolean): Html {
  const { id, project_path, created_at, cleanup_started_at } = row
  const count = tags.get(id) ?? 0
  const href = registryPath({ full_path: project_path }, `/${id}`)
  return html`
<li>${icon('container')}<div class="main"><div class="title"><a href="${href}">${imageNameOf(row)}</a></div>
<div class="facts"><span>${count} ${count === 1 ? 'tag' : 'tags'}</span>${isInGroup && html`<span>in <a href="/${project_path}">${project_path}</a></span>`}<span>first pushed ${time(created_at)}</span>${cleanup_started_at !== null && html`<span>cleaned up ${time(cleanup_started_at)}</span>`}</div></div><div class="row"><strong class="size">${bytesText(sizes.get(id) ?? 0)}</strong></div></li>`
}

/** The tags of an image in their form; those who may delete get a box for each. `deletable`: the names of the tags that the caller may delete. */
export function tagList(
  ctx: Pick<Context, 'actor' | 'deps'>,
  base: string,
  tags: readonly ShownTag[],
  deletable: ReadonlySet<string>,
): Html {
  const list = html`<ul class="list" data-list>${tags.map(tag => tagItem(base, tag, deletable.has(tag.name)))}</ul>`
  if (deletable.size === 0) return list
  // The bar comes first: Enter on a box presses the first button of a form.
  return html`<form method="post" action="${base}/bulk_destroy" class="bulk" data-enter-changes>${csrfField(ctx)}<div class="bulk-bar above row"><button class="btn btn-danger btn-sm" data-turbo-confirm="Delete the chosen tags? Who pulls them finds nothing any more.">${icon('trash')} <span data-bulk-count="Delete">Delete the chosen ones</span></button><span class="muted small">Choose with <kbd>x</kbd>, then press <kbd>Enter</kbd>.</span></div>${list}</form>`
}

function tagItem(base: string, { name, location, digest, created_at, total_size, short_revision }: ShownTag, mayDelete: boolean): Html {
  const remove = `${base}/tags/${encodeURIComponent(name)}/delete`
  return html`
<li>${mayDelete && html`<input type="checkbox" name="tags[]" value="${name}" aria-label="Choose the tag ${name}" data-choose>`}${icon('tag')}<div class="main"><div class="title row"><span class="mono">${name}</span>${copyButton(`Copy the address of ${name}`, location)}${short_revision === null && chip('Index', 'accent')}</div>
<div class="facts"><span class="mono" title="${digest}">${digest.slice(0, 'sha256:'.length + 12)}</span>${copyButton(`Copy the digest of ${name}`, digest)}<span>made ${time(created_at)}</span></div></div>
<div class="row"><strong class="size">${bytesText(total_size)}</strong>${mayDelete && html`<button class="btn btn-sm" formaction="${remove}" title="Delete" aria-label="Delete the tag ${name}" data-turbo-confirm="Delete the tag ${name}? Who pulls it finds nothing any more.">${icon('trash')}</button>`}</div></li>`
}

/** What people type to push the first image of a project. */
export const pushLines = (location: string): Lines[] => [
  { title: 'Sign in', text: `docker login ${location.slice(0, location.indexOf('/'))}` },
  { title: 'Build and push', text: `docker build -t ${location} .\ndocker push ${location}` },
]

/** What people type to get an image. */
export const pullLines = (location: string, needsLogin: boolean): Lines[] => [
  ...(needsLogin ? pushLines(location).slice(0, 1) : []),
  { title: 'Pull', text: `docker pull ${location}` },
]
