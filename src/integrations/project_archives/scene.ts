/** What tests of archives need: making them, whole and broken, and importing them. */
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import type { Person, Scene, SceneProject } from '../../../test/scene.ts'
import { formWith } from '../../spaces/uploads/scene.ts'
import type { UnpackLimits } from '../archives/reading/unpack.ts'
import { exportProject } from './exporting/task.ts'
import { importArchive } from './importing/task.ts'

/** A file of an archive; a text of its own, or rows, one a line. */
export type Files = Readonly<Record<string, string | Buffer | readonly object[]>>

/** The files that every archive has. */
export const plain: Files = { VERSION: '0.2.4', 'tree/project.json': '{"description":"From elsewhere","visibility_level":20}' }

/** An archive in the form of the platform, with these files. */
export async function archiveWith(files: Files, { isPlain = true } = {}): Promise<Buffer> {
  const archive = pack()
  for (const [name, content] of Object.entries({ ...(isPlain ? plain : {}), ...files })) {
    const bytes = Array.isArray(content) ? content.map(row => `${JSON.stringify(row)}\n`).join('') : (content as string | Buffer)
    archive.entry({ name: `./${name}` }, bytes as string)
  }
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

/** The archive of a project, as it is downloaded. */
export async function exported(
  scene: Scene,
  person: Person,
  project: Pick<SceneProject, 'id' | 'url'>,
  body: object = {},
): Promise<Buffer> {
  const asked = await person.post(`${project.url}/export`, body)
  if (asked.status !== 202) throw new Error(`the export was refused: ${asked.status} ${JSON.stringify(asked.body)}`)
  await runExport(scene, project.id)
  return (await person.get(`${project.url}/export/download`)).bytes
}

/** Makes the archive that was asked for. */
export async function runExport(scene: Pick<Scene, 'deps'>, project_id: number): Promise<void> {
  const row = await scene.deps.database.db
    .selectFrom('project_exports')
    .select('request_key')
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  await exportProject(scene.deps, { project_id, request_key: row.request_key })
}

let count = 0

/** Sends an archive, imports it, and answers how that went. */
export async function imported(
  scene: Scene,
  person: Person,
  archive: Buffer,
  { limits, ...fields }: Readonly<Record<string, string>> & { readonly limits?: UnpackLimits } = {},
) {
  const form = formWith('file', 'export.tar.gz', archive, { path: `imported-${++count}`, ...(fields as Record<string, string>) })
  const sent = await person.post('/projects/import', form)
  if (sent.status !== 201) throw new Error(`the import was refused: ${sent.status} ${JSON.stringify(sent.body)}`)
  const url = `/projects/${sent.body.id}`
  await importArchive(scene.deps, { project_id: sent.body.id }, limits)
  return { id: sent.body.id as number, url, sent: sent.body, state: (await person.get(`${url}/import`)).body }
}
