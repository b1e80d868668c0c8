/** The texts that Composer reads (Composer's documentation, "Repositories"). Each is named by its SHA-256, so there is one way to write it. */
import { createHash } from 'node:crypto'
import type { Db } from '../../../../platform/db/connection.ts'
import { metadataOfPackages, type PackageRow } from '../../queries.ts'
import { objectOf } from '../shared/json_members.ts'

/** A version without what is kept of it, which may be large. */
export type VersionRow = Pick<PackageRow, 'id' | 'project_id' | 'name' | 'lookup_name' | 'version'>

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

/** Versions whose metadata is in memory at a time: with the digests of all packages, an index is made of that of very many. */
const BATCH = 20

/** The versions of one package, as JSON in pieces. @param api the address of the API; @param db is read as the pieces are */
export async function* versionsJson(db: Db, api: string, rows: readonly VersionRow[]): AsyncGenerator<string> {
  const versions = [...new Map(rows.map(row => [row.version, row])).values()]
  yield `{"packages":{${JSON.stringify(rows[0]?.name ?? '')}:`
  yield* objectOf(versions, {
    batch: BATCH,
    nameOf: ({ version }) => version as string,
    async read(some) {
      const described = await metadataOfPackages(
        db,
        some.map(({ id }) => id),
      )
      return row => {
        const metadata = described.get(row.id)
        return metadata && versionOf(api, row, metadata as unknown as Metadata)
      }
    },
  })
  yield '}}'
}

function versionOf(api: string, { id, project_id, name, version }: VersionRow, { composer_json, sha }: Metadata) {
  const url = `${api}/projects/${project_id}/packages/composer/archives/${name}.zip?sha=${sha}`
  return { ...composer_json, name, dist: { type: 'zip', url, reference: sha, shasum: '' }, uid: id, version }
}

async function digestOfVersions(db: Db, api: string, rows: readonly VersionRow[]): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of versionsJson(db, api, rows)) hash.update(piece)
  return hash.digest('hex')
}

/** All packages with the digests of their versions, as JSON. */
export async function providersJson(db: Db, api: string, rows: readonly VersionRow[]): Promise<string> {
  const providers: [string, { readonly sha256: string }][] = []
  for (const some of Map.groupBy(rows, row => row.lookup_name).values())
    providers.push([some[0]?.name ?? '', { sha256: await digestOfVersions(db, api, some) }])
  return JSON.stringify({ providers: Object.fromEntries(providers) })
}

/** Where all of it is, as JSON. */
export async function rootJson(db: Db, api: string, groupId: number, rows: readonly VersionRow[]): Promise<string> {
  const base = `${new URL(api).pathname}/group/${groupId}/-/packages/composer`
  return JSON.stringify({
    packages: [],
    'provider-includes': { 'p/%hash%.json': { sha256: digestOf(await providersJson(db, api, rows)) } },
    'providers-url': `${base}/%package%$%hash%.json`,
    'metadata-url': `${base}/p2/%package%.json`,
  })
}
