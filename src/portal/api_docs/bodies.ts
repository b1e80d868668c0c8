/** The bodies of the chapters' pages, which are made once. */
import { runInSlices } from '../../platform/kernel/answer/time_slicing.ts'
import { type Html, keptAround } from '../../platform/pages/html.ts'
import { chapterView } from './chapter_view.ts'
import type { ApiChapters, Chapter, Operation } from './chapters.ts'
import { samplesOf } from './samples.ts'

/** Stands for the server's address in a body that is kept. Nothing has this name (RFC 6761 section 6.4), and no quoting changes it. */
const ORIGIN = 'https://origin-of-this-instance.invalid'

/**
 * A body is hundreds of kilobytes of HTML. Those who are signed in have one of their own. The server's address, which is the `Host` of the
 * request where none is set, is filled in for each answer: a client chooses it, so it must not decide whether a body is made.
 */
export class ChapterBodies {
  readonly #chapters: Pick<ApiChapters, 'paths'>
  readonly #made = new Map<string, Promise<(origin: string) => Html>>()

  constructor(chapters: Pick<ApiChapters, 'paths'>) {
    this.#chapters = chapters
  }

  /**
   * The body of a chapter's page. The first call for it makes it, in slices.
   * @param origin the server's address, without a slash at its end
   */
  async bodyOf(chapter: Chapter, origin: string, isSignedIn: boolean): Promise<Html> {
    const key = `${chapter.name} ${isSignedIn}`
    const made = this.#made.get(key) ?? runInSlices(this.#making(chapter, isSignedIn))
    this.#made.set(key, made)
    return (await made)(origin)
  }

  *#making(chapter: Chapter, isSignedIn: boolean): Generator<void, (origin: string) => Html, void> {
    const { paths } = this.#chapters
    const samples = (operation: Operation) => samplesOf(operation, paths[operation.endpoint.scope.name] ?? {}, ORIGIN)
    const body = yield* chapterView(chapter, samples, isSignedIn)
    yield
    return keptAround(body, ORIGIN)
  }
}
