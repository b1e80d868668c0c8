/** Pages of planning: a board of very many issues, and a comment that another screen shows. */
import { call } from '../api.ts'
import type { DurationCase } from '../durations.ts'
import { servedPage } from './cases.ts'
import { followed } from './followed.ts'
import { inBrowser, visit } from './visit.ts'

/** Of each run, so that no two comments are the same. */
let comments = 0

export const planningPageCases: readonly DurationCase[] = [
  servedPage('board of 10,000 issues', 500, bench => bench.board()),
  {
    name: 'board of 10,000 issues, painted',
    unit: 'ms',
    promise: { most: 500 },
    async measure(bench) {
      const board = await bench.board()
      const { url } = bench.ingot
      const target = await inBrowser(url, async browser => {
        const made: number[] = []
        for (let round = 0; round < bench.rounds; round++) made.push((await visit(browser, { url, ...board })).paint)
        return made
      })
      return { target, floor: [] }
    },
  },
  followed('issue with 50 notes, until a comment of another is seen', 1_000, {
    async pageOf(bench) {
      const { cookie, path } = await bench.pages()
      return { cookie, path: `${path}/-/issues/1` }
    },
    async change(bench) {
      const { id } = await bench.pages()
      await call(bench.ingot, 'POST', `/projects/${id}/issues/1/notes`, { body: `Seen elsewhere ${++comments}` })
    },
    sign: () => `document.querySelector('main').textContent.includes('Seen elsewhere ${comments}')`,
  }),
]
