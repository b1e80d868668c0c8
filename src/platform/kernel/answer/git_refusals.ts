/**
 * What git cannot do because of what was asked for is the caller's to know, wherever it comes up: no command needs to remember it. What git
 * cannot do because of the machine or of the repository stays an error of the server.
 */
import { GitError, tookTooMuch } from '../../git/index.ts'
import { conflict, notFound, Refusal } from '../errors.ts'

/** The refusal that an error of git is for the caller; undefined where it is not theirs. */
export function refusalByGit(error: unknown): Refusal | undefined {
  if (!(error instanceof GitError)) return undefined
  if (tookTooMuch(error))
    return new Refusal('unavailable', {
      message: `503 Service Unavailable - this takes git too ${error.kind === 'timeout' ? 'long' : 'much memory'}`,
    })
  switch (error.kind) {
    case 'invalid':
      return new Refusal('bad_request', { message: error.message })
    case 'too_large':
      return new Refusal('too_large', { message: `413 Request Entity Too Large - ${error.message}` })
    case 'conflict':
      return conflict(error.message)
    case 'not_found':
      return notFound('Repository')
    default:
      return undefined
  }
}
