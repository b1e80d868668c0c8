import { type Config, places } from '../config.ts'
import { localStore } from './local.ts'
import type { ObjectStore } from './store.ts'

/**
 * The store that the configuration names: a bucket, or else a folder of the data directory.
 * @param mayDelete asked before objects are deleted; where it says no they stay, and a later sweep deletes them. Default: always yes
 */
export async function openObjectStore(config: Config, mayDelete: () => Promise<boolean> = async () => true): Promise<ObjectStore> {
  const store = await openUnguarded(config)
  return {
    ...store,
    async delete(keys) {
      if (keys.length > 0 && (await mayDelete())) await store.delete(keys)
    },
  }
}

async function openUnguarded(config: Config): Promise<ObjectStore> {
  if (!config.objectStore) return localStore(places(config).objects)
  const { s3Store } = await import('./s3/store.ts')
  return s3Store(config.objectStore)
}
