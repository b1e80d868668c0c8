/** The JSON that clients of NuGet read (NuGet's documentation, "Server API"; NuGet packages API at 14.0). Pure. */
import type { PackageRow } from '../../queries.ts'
import type { Dependency, Nuspec } from './nuspec.ts'
import { compareNugetVersions } from './versions.ts'

/** A version of a package without what its `.nuspec` says. */
export type VersionRow = Pick<PackageRow, 'id' | 'project_id' | 'name' | 'lookup_name' | 'version'>

/** A version with what its `.nuspec` says. */
export type DescribedRow = VersionRow & Pick<PackageRow, 'metadata'>

const nuspecOf = ({ metadata }: Pick<PackageRow, 'metadata'>) => metadata as unknown as Nuspec

/** The services of a registry, each under the names that the clients of different times look for. */
const services = [
  ['download', 'Get package content (.nupkg).', ['PackageBaseAddress/3.0.0']],
  [
    'query',
    'Filter and search for packages by keyword.',
    ['SearchQueryService', 'SearchQueryService/3.0.0-beta', 'SearchQueryService/3.0.0-rc'],
  ],
  ['', 'Push and delete (or unlist) packages.', ['PackagePublish/2.0.0']],
  ['metadata', 'Get package metadata.', ['RegistrationsBaseUrl', 'RegistrationsBaseUrl/3.0.0-beta', 'RegistrationsBaseUrl/3.0.0-rc']],
] as const

/** Where the services of a registry are. @param base the address of the registry of a project or a group; groups have no files and take none */
export function serviceIndex(base: string, inGroup: boolean): string {
  const served = services.filter(([path]) => !inGroup || path === 'query' || path === 'metadata')
  const resources = served.flatMap(([path, comment, types]) =>
    types.map(type => ({ '@id': path === '' ? base : `${base}/${path}`, '@type': type, comment })),
  )
  return JSON.stringify({ version: '3.0.0', resources })
}

const registryOf = (api: string, { project_id }: VersionRow) => `${api}/projects/${project_id}/packages/nuget`

const metadataUrl = (api: string, row: VersionRow) =>
  `${registryOf(api, row)}/metadata/${encodeURIComponent(row.name)}/${encodeURIComponent(row.version ?? '')}.json`

/** The name of the file of a version. */
export const fileNameOf = (name: string, version: string): string => `${name}.${version}.nupkg`.toLowerCase()

function contentUrl(api: string, row: VersionRow): string {
  const version = row.version ?? ''
  const names = [row.name, version, fileNameOf(row.name, version)].map(encodeURIComponent)
  return `${registryOf(api, row)}/download/${names.join('/')}`
}

function dependencyGroups(url: string, dependencies: readonly Dependency[]) {
  return [...Map.groupBy(dependencies, dependency => dependency.target_framework)].map(([framework, needed]) => {
    const id = `${url}#dependencyGroup${framework === undefined ? '' : `/${framework.toLowerCase()}`}`
    return {
      '@id': id,
      '@type': 'PackageDependencyGroup',
      ...(framework !== undefined && { targetFramework: framework }),
      dependencies: needed.map(({ name, range }) => ({
        '@id': `${id}/${name.toLowerCase()}`,
        '@type': 'PackageDependency',
        id: name,
        range: range ?? '',
      })),
    }
  })
}

const addresses = ({ project_url, license_url, icon_url }: Nuspec) => ({
  ...(project_url !== undefined && { projectUrl: project_url }),
  ...(license_url !== undefined && { licenseUrl: license_url }),
  ...(icon_url !== undefined && { iconUrl: icon_url }),
})

/** A version, as the metadata service shows it. */
export function versionDocument(api: string, row: DescribedRow) {
  const nuspec = nuspecOf(row)
  const [url, packageContent] = [metadataUrl(api, row), contentUrl(api, row)]
  return {
    '@id': url,
    packageContent,
    catalogEntry: {
      '@id': url,
      authors: nuspec.authors,
      dependencyGroups: dependencyGroups(url, nuspec.dependencies),
      id: row.name,
      version: row.version,
      tags: nuspec.tags,
      packageContent,
      description: nuspec.description,
      summary: '',
      ...addresses(nuspec),
    },
  }
}

/** All versions of a package, in pieces: there may be thousands. @param described gives the versions with what their files say, in the same order */
export async function* versionsDocument(
  api: string,
  rows: readonly [VersionRow, ...VersionRow[]],
  described: AsyncIterable<readonly DescribedRow[]>,
): AsyncGenerator<string> {
  const versions = rows.map(row => row.version ?? '').sort(compareNugetVersions)
  const head = { '@id': metadataUrl(api, rows[0]), lower: versions[0], upper: versions.at(-1), count: rows.length }
  yield `{"count":1,"items":[${JSON.stringify(head).slice(0, -1)},"items":[`
  let isFirst = true
  for await (const some of described) {
    if (some.length === 0) continue
    yield `${isFirst ? '' : ','}${some.map(row => JSON.stringify(versionDocument(api, row))).join(',')}`
    isFirst = false
  }
  yield ']}]}'
}

/**
 * A page of a search: packages with some of their versions.
 * @param rows the versions, those of a package side by side
 * @param described what the files of versions say, by their ids; of each package that of its newest version is asked for
 */
export function searchDocument(
  api: string,
  totalHits: number,
  rows: readonly VersionRow[],
  described: ReadonlyMap<number, unknown>,
): string {
  const data = [...Map.groupBy(rows, row => row.lookup_name).values()].map(versions => {
    const newest = newestOf(versions)
    const nuspec = (described.get(newest.id) ?? {}) as Nuspec
    return {
      '@type': 'Package',
      authors: nuspec.authors,
      id: newest.name,
      title: newest.name,
      description: nuspec.description,
      summary: '',
      totalDownloads: 0,
      verified: true,
      version: newest.version,
      versions: versions.map(row => ({ '@id': metadataUrl(api, row), version: row.version, downloads: 0 })),
      tags: nuspec.tags,
      ...addresses(nuspec),
    }
  })
  return JSON.stringify({ totalHits, data })
}

/** The version of a package that comes last by precedence. */
export const newestOf = (versions: readonly VersionRow[]): VersionRow =>
  versions.reduce((one, other) => (compareNugetVersions(one.version ?? '', other.version ?? '') < 0 ? other : one))
