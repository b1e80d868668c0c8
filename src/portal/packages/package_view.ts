/** Packages as pages show them (the JSON of the packages API becomes HTML). Pure. */
import { downloadPath } from '../../delivery/packages/entity.ts'
import type { PackageStatus, PackageType } from '../../delivery/packages/types.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { pipelineChip } from '../pipelines/status_view.ts'
import type { Lines } from './install.ts'

/** A pipeline that made a package. */
interface ShownBuild {
  readonly id: number
  readonly status: string
  readonly ref: string
  readonly sha: string
  readonly web_url: string
  readonly user?: { readonly name: string; readonly username: string }
}

/** The JSON of a package in lists. */
export interface ShownPackage {
  readonly id: number
  readonly name: string
  /** Without the rest of the reference: of Conan alone. */
  readonly conan_package_name?: string
  readonly version: string | null
  readonly package_type: PackageType
  readonly status: PackageStatus
  /** Where it is deleted: for those who may. */
  readonly _links: { readonly web_path: string; readonly delete_api_path?: string }
  readonly created_at: string
  readonly tags: readonly string[]
  readonly pipelines?: readonly ShownBuild[]
  /** In the list of a group alone. */
  readonly project_path?: string
}

/** The JSON of another version of a package. */
export interface ShownVersion {
  readonly id: number
  readonly version: string
  readonly created_at: string
  readonly tags: readonly string[]
}

/** The JSON of a file of a package. */
export interface ShownFile {
  readonly id: number
  readonly file_name: string
  readonly size: number
  readonly created_at: string
  readonly file_sha256: string
}

type Project = { readonly full_path: string }

/** Types as their package managers write their names. */
export const typeNames: Readonly<Record<PackageType, string>> = {
  maven: 'Maven',
  npm: 'npm',
  conan: 'Conan',
  nuget: 'NuGet',
  pypi: 'PyPI',
  composer: 'Composer',
  generic: 'Generic',
  golang: 'Go',
  debian: 'Debian',
  rubygems: 'RubyGems',
  helm: 'Helm',
  terraform_module: 'Terraform module',
}

/** The path of the list of packages, or of what is below it. Pure. */
export const packagesPath = (project: Project, rest = ''): string => projectPath(project, `/-/packages${rest}`)

const tagChips = (tags: readonly string[]): readonly Html[] => tags.map(tag => chip(tag, 'accent', 'tag'))

const errorChip = (status: PackageStatus) => status === 'error' && chip('Could not be read', 'danger', 'alert')

const titleOf = ({ name, version }: Pick<ShownPackage, 'name' | 'version'>): Html =>
  html`${name}${version !== null && html` <span class="muted light">${version}</span>`}`

/** The list of packages. */
export const packageList = (rows: readonly ShownPackage[]): Html => html`<ul class="list" data-list>${rows.map(packageItem)}</ul>`

function packageItem(shown: ShownPackage): Html {
  const { _links, package_type, status, created_at, tags, pipelines = [], project_path } = shown
  const [build] = pipelines
  return html`
<li>${icon('package')}<div class="main"><div class="title row"><a href="${_links.web_path}">${titleOf(shown)}</a>${tagChips(tags)}${errorChip(status)}</div>
<div class="facts"><span>${typeNames[package_type]}</span>${project_path !== undefined && html`<span>in <a href="/${project_path}">${project_path}</a></span>`}<span>published ${time(created_at)}</span></div></div>${build && html`<div class="row">${pipelineChip(build)}</div>`}</li>`
}

/** Type, tags, when it was published, and the pipelines that made it. */
export const packageFacts = ({ package_type, status, tags, created_at, pipelines = [] }: ShownPackage): Html =>
  html`<div class="row facts item-facts"><span>${icon('package', 'Type')} ${typeNames[package_type]}</span>${tagChips(tags)}${errorChip(status)}<span>published ${time(created_at)}</span></div>
${pipelines.length > 0 && html`<section class="section"><h2>Made by</h2><ul class="plain-list">${pipelines.map(({ ref, sha, user, ...build }) => html`<li class="row">${pipelineChip(build)}<span><span class="mono">${ref}</span> at <span class="mono">${sha.slice(0, 8)}</span>${user && html`, started by <a class="quiet" href="/${user.username}">${user.name}</a>`}</span></li>`)}</ul></section>`}`

/** Lines to copy, each with what it is. */
export const linesView = (lines: readonly Lines[]): Html =>
  html`<div class="stack">${lines.map(({ title, text }) => html`<section class="panel"><header class="row apart"><strong>${title}</strong><clipboard-copy class="btn btn-sm" value="${text}" role="button" tabindex="0" aria-label="Copy: ${title}">${icon('copy')}</clipboard-copy></header><pre class="body mono scroll" tabindex="0">${text}</pre></section>`)}</div>`

/** How it is installed. */
export const installView = (lines: readonly Lines[], needsToken: boolean): Html | undefined =>
  lines.length === 0
    ? undefined
    : html`<section class="section"><h2>Install</h2>${needsToken && html`<p class="muted">In place of <code>&lt;token&gt;</code> stands a <a href="/-/profile/personal_access_tokens">personal access token</a> with the scope <code>read_api</code>. Which other tokens there are is in the <a href="/help/packages">handbook</a>.</p>`}
${linesView(lines)}</section>`

/** The files of a package. `remove`: the button that deletes one. */
export const filesView = (
  project: Project,
  files: readonly ShownFile[],
  links: Html | undefined,
  remove: ((file: ShownFile) => Html) | undefined,
): Html =>
  html`<section class="section"><h2>Files</h2>${
    files.length === 0
      ? html`<p class="muted">It has no files.</p>`
      : dataTable<ShownFile>({
          label: 'Files',
          columns: [
            {
              title: 'File',
              cell: file =>
                html`<a class="mono" href="${downloadPath(project.full_path, file)}" data-turbo="false" download>${icon('download', 'Download')} ${file.file_name}</a>`,
            },
            { title: 'Size', cell: ({ size }) => bytesText(size) },
            { title: 'Published', cell: ({ created_at }) => time(created_at) },
            {
              title: 'SHA-256',
              cell: ({ file_name, file_sha256 }) =>
                html`<span class="mono" title="${file_sha256}">${file_sha256.slice(0, 12)}</span>${copyButton(`Copy the SHA-256 of ${file_name}`, file_sha256)}`,
            },
            remove !== undefined && { title: 'Delete', cell: remove },
          ],
          rows: files,
        })
  }${links}</section>`

/** Versions that stand on the page of another one. */
const MOST_VERSIONS = 20

/** The other versions, the newest first. */
export function versionsView(project: Project, name: string, versions: readonly ShownVersion[]): Html | undefined {
  if (versions.length === 0) return undefined
  const left = versions.length - MOST_VERSIONS
  return html`<section class="section"><h2>Other versions <span class="counter">${versions.length}</span></h2><ul class="plain-list">${versions
    .toReversed()
    .slice(0, MOST_VERSIONS)
    .map(
      ({ id, version, created_at, tags }) =>
        html`<li class="row"><a href="${packagesPath(project, `/${id}`)}">${version}</a>${tagChips(tags)}<span class="muted small">published ${time(created_at)}</span></li>`,
    )}</ul>${left > 0 && html`<p><a href="${packagesPath(project, `?package_name=${encodeURIComponent(name)}`)}">All versions</a></p>`}</section>`
}
