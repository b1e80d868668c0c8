/**
 * What a reader would answer, found without one: in a repository that nobody has packed yet, objects and references are files. Starting a
 * reader for it takes as long as reading hundreds of them.
 */

import { readLooseRef } from '../refs/loose-refs.ts'
import { isValidRefName } from '../refs/names.ts'
import type { GitPlace } from '../storage/repository.ts'
import { readLoose } from './loose-objects.ts'
import type { CatFileAnswer, CatFileQuestion } from './object.ts'
import { isObjectId, type ObjectId, zeroId } from './oid.ts'

/** More questions than these are worth a reader. */
const MOST_QUESTIONS = 20

type Place = Pick<GitPlace, 'path'>

/** The answers, in order; undefined as soon as one of them is not plain to see. */
export function answersFromFiles(place: Place, questions: readonly CatFileQuestion[]): CatFileAnswer[] | undefined {
  if (questions.length > MOST_QUESTIONS) return undefined
  const answers: CatFileAnswer[] = []
  for (const { want, name } of questions) {
    const id = idNamed(place, name)
    const answer = id === zeroId ? 'none' : id && readLoose(place, id)
    if (!answer) return undefined
    answers.push(answer === 'none' ? undefined : want === 'info' ? { ...answer, data: nothing } : answer)
  }
  return answers
}

const nothing = Buffer.alloc(0)

/** The id of what a name stands for; all zeros for nothing, undefined where that takes git to say. */
function idNamed(place: Place, name: string): ObjectId | undefined {
  const [, base = '', kind] = /^([^^:]*)(?:\^\{(commit|tree)\})?$/.exec(name) ?? []
  const id = isObjectId(base) ? base : isValidRefName(base) ? readLooseRef(place, base) : undefined
  if (kind === undefined || id === undefined || id === zeroId) return id
  const object = readLoose(place, id)
  if (object?.type === kind) return id
  // A commit begins with its tree; a tag is left to git.
  return object?.type === 'commit' ? /^tree ([0-9a-f]{40})\n/.exec(object.data.toString('latin1', 0, 46))?.[1] : undefined
}
