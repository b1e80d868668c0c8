/** The texts that Composer reads (Composer's documentation, "Repositories"). Each is named by its SHA-256, so there is one way to write it. Pure. */
import { createHash } from 'node:crypto'
import type { PackageRow } from '../../queries.ts'

/** What is kept of a version: its `composer.json`, and the commit of its files. */
interface Metadata {
  readonly composer_json: Readonly<Record<string, unknown>>
  readonly sha: string
}

/** The metadata of a version. */
export const composerMetadataOf = (composer_json: Metadata['composer_json'], sha: string): Metadata => ({ composer_json, sha })

/** The commit of a version. */
export const shaOf = ({ metadata }: Pick<PackageRow, 'metadata'>): string => (metadata as unknown as Metadata).sha

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The versions of one package, as JSON. @param api the address of the API */
export function versionsJson(api: string, rows: readonly PackageRow[]): string {
  const name = rows[0]?.name ?? ''
  const versions = rows.map(row => {
    const { composer_json, sha } = row.metadata as unknown as Metadata
    const url = `${api}/projects/${row.project_id}/packages/composer/archives/${row.name}.zip?sha=${sha}`
    return [
      row.version,
      { ...composer_json, name: row.name, dist: { type: 'zip', url, reference: sha, shasum: '' }, uid: row.id, version: row.version },
    ] as const
  })
  return JSON.stringify({ packages: { [name]: Object.fromEntries(versions) } })
}

/** All packages with the digests of their versions, as JSON. */
export function providersJson(api: string, rows: readonly PackageRow[]): string {
  const byName = [...Map.groupBy(rows, row => row.lookup_name).values()]
  return JSON.stringify({
    providers: Object.fromEntries(byName.map(some => [some[0]?.name, { sha256: digestOf(versionsJson(api, some)) }])),
  })
}

/** Where all of it is, as JSON. */
export function rootJson(api: string, groupId: number, rows: readonly PackageRow[]): string {
  const base = `${new URL(api).pathname}/group/${groupId}/-/packages/composer`
  return JSON.stringify({
    packages: [],
    'provider-includes': { 'p/%hash%.json': { sha256: digestOf(providersJson(api, rows)) } },
    'providers-url': `${base}/%package%$%hash%.json`,
    'metadata-url': `${base}/p2/%package%.json`,
  })
}
