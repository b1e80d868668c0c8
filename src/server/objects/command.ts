/** `ingot objects move`: brings the files of an instance into the object store that it is configured for. */
import { SingleBar } from 'cli-progress'
import { type Config, ConfigError, formerObjectStore, places } from '../../platform/config.ts'
import { openLog } from '../../platform/log.ts'
import { localStore } from '../../platform/object_store/local.ts'
import type { S3Address } from '../../platform/object_store/s3/address.ts'
import type { ObjectStore } from '../../platform/object_store/store.ts'
import { CommandFailure } from '../cli/failures.ts'
import { configFrom, type SettingOptions } from '../cli/settings.ts'
import { openInstance } from '../setup/instance.ts'
import { copyObjects, countObjects, deleteCopied, type Moved } from './move.ts'

/** Copies all objects into the configured store, or deletes in the former one those that were copied. */
export async function moveObjects(options: SettingOptions & { readonly deleteOld?: true }): Promise<void> {
  const config = configFrom(options)
  const former = formerObjectStore()
  if (placeOf(config.objectStore, config) === placeOf(former, config))
    throw new ConfigError(
      'INGOT_OBJECT_STORE and INGOT_FORMER_OBJECT_STORE lead to the same store: the first is where files go, the second where they are (empty: the folder)',
    )
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true, existing: true })
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  let from: ObjectStore | undefined
  try {
    from = await storeAt(former, config)
    const { database, objects: to } = instance.deps
    for (const store of [from, to]) await store.check()
    const bar = new SingleBar({ format: '{bar} {percentage}% | {value} of {total} | {eta} s left', clearOnComplete: true })
    bar.start(await countObjects(database), 0)
    const parts = { database, from, to, signal: stopping.signal, onProgress: () => bar.increment() }
    let says: string
    try {
      says = options.deleteOld ? `${await deleteCopied(parts)} files deleted in the former store\n` : reportOf(await copyObjects(parts))
    } finally {
      bar.stop()
    }
    process.stdout.write(says)
    if (stopping.signal.aborted) throw new CommandFailure('interrupted: run it again, and it goes on from here')
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    await from?.close()
    await instance.close()
  }
}

async function storeAt(address: S3Address | undefined, config: Config): Promise<ObjectStore> {
  if (!address) return localStore(places(config).objects)
  const { s3Store } = await import('../../platform/object_store/s3/store.ts')
  return s3Store(address)
}

const placeOf = (address: S3Address | undefined, config: Config): string =>
  address ? `${address.endpoint}/${address.bucket}/${address.prefix}` : places(config).objects

/** Keys that are named of those that could not be copied. */
const NAMED = 10

/** @throws CommandFailure where not all could be copied */
function reportOf({ copied, bytes, present, missing, damaged }: Moved): string {
  const says = `${copied} files copied (${bytes} bytes), ${present} were there already\n`
  const lost = [...missing.map(key => `missing ${key}`), ...damaged.map(key => `damaged ${key}`)]
  if (lost.length === 0) return says
  process.stdout.write(says)
  const more = lost.length > NAMED ? ` and ${lost.length - NAMED} more` : ''
  throw new CommandFailure(
    `${missing.length} files are in neither store, ${damaged.length} are damaged: ${lost.slice(0, NAMED).join(', ')}${more}`,
  )
}
