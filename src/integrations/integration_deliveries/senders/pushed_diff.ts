/** The differences of a push as text, for mails. */
import { type RefMove, streamDiff, zeroId } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { projectsById } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'

/** Bytes that a mail shows. */
const MOST = 50_000

/** Undefined where there is nothing to compare, or the repository is gone. */
export async function pushedDiff(
  { db, deps }: Pick<Context, 'db' | 'deps'>,
  projectId: number,
  { before, after }: { readonly before: RefMove['old']; readonly after: RefMove['new'] },
): Promise<string | undefined> {
  if (before === zeroId || after === zeroId) return undefined
  const project = (await projectsById(db, [projectId])).get(projectId)
  const repository = project && (await findRepository(deps.storages, project))
  if (!repository) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of streamDiff(repository, before, after)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST) break
  }
  const text = Buffer.concat(chunks).subarray(0, MOST).toString('utf8').replaceAll('\0', '\uFFFD')
  return size > MOST ? `${text}\n… (the rest is left out)` : text
}
