/** How packages of Conan were built, as it is sent: a revision of a recipe may have very many. */
import { Readable } from 'node:stream'
import type { Db } from '../../../../platform/db/connection.ts'
import { breather } from '../../../../platform/kernel/answer/time_slicing.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { buildInfoOf } from './info.ts'
import { contentsOfInfos, type InfoFile, infoFilesOf } from './queries.ts'

/** Files whose contents are in memory at a time. */
const BATCH = 50

/** How each package of a revision of a recipe was built, by its ID, in JSON. */
export async function infosOf({ db, deps }: Pick<Context, 'db' | 'deps'>, packageId: number, revision: string) {
  // Read as the answer is sent: the transaction of the request may be over.
  const document = infosDocument(deps.database.db, await infoFilesOf(db, packageId, revision))
  return { body: Readable.from(document, { objectMode: false }) }
}

async function* infosDocument(db: Db, files: readonly InfoFile[]): AsyncGenerator<string> {
  const pause = breather()
  yield '{'
  let isFirst = true
  for (let from = 0; from < files.length; from += BATCH) {
    const batch = files.slice(from, from + BATCH)
    const contents = await contentsOfInfos(
      db,
      batch.map(({ id }) => id),
    )
    for (const { id, reference } of batch) {
      const content = contents.get(id)
      // It was deleted meanwhile.
      if (content === undefined) continue
      await pause()
      yield `${isFirst ? '' : ','}${JSON.stringify(reference)}:${JSON.stringify(buildInfoOf(content))}`
      isFirst = false
    }
  }
  yield '}'
}
