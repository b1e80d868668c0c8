import { type Config, places } from '../config.ts'
import { localStore } from './local.ts'
import type { ObjectStore } from './store.ts'

/** The store that the configuration names: a bucket, or else a folder of the data directory. */
export async function openObjectStore(config: Config): Promise<ObjectStore> {
  if (!config.objectStore) return localStore(places(config).objects)
  const { s3Store } = await import('./s3.ts')
  return s3Store(config.objectStore)
}
