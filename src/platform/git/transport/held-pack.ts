/** A pack that is kept beside the repository until it is decided whether it may come in: what is refused leaves nothing behind. */
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GitError } from '../errors.ts'
import { startGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'
import type { PackMeter } from './pack-limit.ts'
import { writeTo } from './upload-pack.ts'

/** What a push has after its head. */
export interface PackSource {
  /** The bytes, as they come. Once. */
  rest(): AsyncGenerator<Buffer, void, void>
}

/** A held pack: its objects can be read beside those of the repository. */
export interface HeldPack extends PackSource {
  /** The environment in which git reads its objects. */
  readonly environment: Readonly<Record<string, string>>
  /** The line that refuses the pack itself. */
  readonly refusal: string | undefined
  /** Takes it away. */
  remove(): Promise<void>
}

/**
 * Reads the pack of a push to its end and indexes it in a folder of its own. git takes what a crash leaves of it for an interrupted push, and prunes it.
 * @param endsWithPack the request goes on after the pack, so that no more than it is read
 */
export async function holdPack(
  repository: Repository,
  source: PackSource,
  { meter, endsWithPack }: { readonly meter: PackMeter | undefined; readonly endsWithPack: boolean },
): Promise<HeldPack> {
  const objects = join(repository.path, 'objects')
  const folder = await mkdtemp(join(objects, 'tmp_objdir-incoming-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await mkdir(join(folder, 'pack'))
    const environment = { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }
    const git = await startGit(repository, {
      subcommand: 'index-pack',
      flags: ['--stdin', ...(meter?.limit.refusesThin ? [] : ['--fix-thin'])],
      environment: { ...environment, GIT_ALLOC_LIMIT: '1g' },
    })
    git.stdin.on('error', () => {})
    git.stdout.resume()
    const fed = feed(source, git.stdin, meter)
    await (endsWithPack ? Promise.race([fed, git.done]) : fed).catch(() => {})
    git.stdin.end()
    const isWhole = await git.done.then(
      () => true,
      error => {
        if (!(error instanceof GitError)) throw error
        return false
      },
    )
    const name = (await readdir(join(folder, 'pack'))).find(file => file.endsWith('.pack'))
    const refusal = meter?.refusal ?? (isWhole && name !== undefined ? undefined : 'unpacker error')
    return {
      environment,
      refusal,
      remove,
      async *rest() {
        if (name !== undefined) yield* createReadStream(join(folder, 'pack', name)) as AsyncIterable<Buffer>
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function feed(source: PackSource, to: NodeJS.WritableStream, meter: PackMeter | undefined): Promise<void> {
  let open = true
  for await (const chunk of source.rest()) {
    await meter?.count(chunk)
    // git finds that its pack ends too early; the rest of the request is read, so that the client hears of it.
    if (meter?.refusal !== undefined) open = false
    if (open) open = await writeTo(to as never, chunk)
  }
}
