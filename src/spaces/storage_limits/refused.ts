/** Bytes that a request has brought, until a row names them. */
import type { Deps } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'

/**
 * Does `work`, which names a new object in a transaction of its own. Where that is refused, the bytes are deleted: the sweep of the object store would leave them
 * for long, and they count for no project.
 */
export async function unlessRefused<T>(
  { database, objects }: Pick<Deps, 'database' | 'objects'>,
  { key }: { readonly key: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // After another failure nothing is known: its transaction may have been written.
    if (error instanceof Refusal) {
      const row = await database.db.selectFrom('stored_objects').select('id').where('key', '=', key).executeTakeFirst()
      if (!row) await objects.delete([key])
    }
    throw error
  }
}
