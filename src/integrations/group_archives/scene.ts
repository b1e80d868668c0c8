/** What tests of archives of groups need. */
import type { Person, Scene } from '../../../test/scene.ts'
import { formWith } from '../../spaces/uploads/scene.ts'
import type { UnpackLimits } from '../archives/reading/unpack.ts'
import { archiveWith, type Files } from '../project_archives/scene.ts'
import { exportGroup } from './exporting/task.ts'
import { importGroupArchive } from './importing/task.ts'

/** An archive of one group with these relations; others win over its files. */
export const groupArchive = (relations: Readonly<Record<string, readonly object[]>> = {}, files: Files = {}): Promise<Buffer> =>
  archiveWith(
    {
      VERSION: '0.2.4',
      'tree/groups/_all.ndjson': '7\n',
      'tree/groups/7.json': '{"id":7,"name":"Lamps","path":"lamps","parent_id":null,"description":"From elsewhere"}',
      ...Object.fromEntries(Object.entries(relations).map(([name, rows]) => [`tree/groups/7/${name}.ndjson`, rows])),
      ...files,
    },
    { isPlain: false },
  )

/** Makes the archive that was asked for. */
export async function runGroupExport(scene: Scene, group_id: number): Promise<void> {
  const row = await scene.deps.database.db
    .selectFrom('group_exports')
    .select('request_key')
    .where('namespace_id', '=', group_id)
    .executeTakeFirstOrThrow()
  await exportGroup(scene.deps, { group_id, request_key: row.request_key })
}

/** The archive of a group, as it is downloaded. */
export async function exportedGroupOf(scene: Scene, person: Person, group: { readonly id: number }): Promise<Buffer> {
  const asked = await person.post(`/groups/${group.id}/export`)
  if (asked.status !== 202) throw new Error(`the export was refused: ${asked.status} ${JSON.stringify(asked.body)}`)
  await runGroupExport(scene, group.id)
  return (await person.get(`/groups/${group.id}/export/download`)).bytes
}

let count = 0

/** Sends an archive, imports it, and answers the new group and how that went. */
export async function importedGroup(
  scene: Scene,
  person: Person,
  archive: Buffer,
  { limits, ...fields }: { readonly limits?: UnpackLimits; readonly parent_id?: string; readonly path?: string } = {},
) {
  const path = `imported-group-${++count}`
  const sent = await person.post('/groups/import', formWith('file', 'export.tar.gz', archive, { path, name: path, ...fields }))
  if (sent.status !== 202) throw new Error(`the import was refused: ${sent.status} ${JSON.stringify(sent.body)}`)
  const { db } = scene.deps.database
  const { id, full_path } = await db
    .selectFrom('namespaces')
    .innerJoin('routes', 'routes.namespace_id', 'namespaces.id')
    .select(['namespaces.id', 'routes.path as full_path'])
    .where('namespaces.path', '=', fields.path ?? path)
    .orderBy('namespaces.id', 'desc')
    .executeTakeFirstOrThrow()
  await importGroupArchive(scene.deps, { group_id: id }, limits)
  const state = await db
    .selectFrom('group_imports')
    .select(['state', 'error', 'failures', 'object_id'])
    .where('namespace_id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, full_path, url: `/groups/${id}`, state }
}
