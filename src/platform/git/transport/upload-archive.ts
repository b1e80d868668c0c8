/** `git archive --remote`: an archive of a revision, over a channel that stays open. */
import type { Readable, Writable } from 'node:stream'
import { startGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'
import { deliver, feed } from './upload-pack.ts'

/** Serves one archive; git reads what is asked for from the request. Resolves when the response is written and ended. */
export async function uploadArchive(
  repository: Repository,
  { request, response, signal }: { readonly request: Readable; readonly response: Writable; readonly signal?: AbortSignal },
): Promise<void> {
  // It tells the client what was asked in vain, and dies of it.
  const git = await startGit(repository, { subcommand: 'upload-archive', values: ['.'], answers: [1, 128], signal })
  feed(request, git.stdin).catch(() => git.kill())
  await deliver(git, response)
}
