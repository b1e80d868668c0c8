import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnRows, Lanes, type Node } from './lanes.ts'

/** The same numbers from 0 to before 1 for the same seed (the generator of Park and Miller). */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A history of up to 60 commits, children first, with several tips and roots, merges of many, and criss-cross merges. */
function randomHistory(seed: number): Node[] {
  const next = numbersOf(seed)
  const size = 1 + Math.floor(next() * 60)
  const reach = 1 + Math.floor(next() * 12)
  return Array.from({ length: size }, (_, row) => {
    const wanted = next() < 0.1 ? 0 : next() < 0.6 ? 1 : next() < 0.9 ? 2 : 6
    const parents = Array.from({ length: wanted }, () => row + 1 + Math.floor(next() * reach))
    return { id: String(row), parents: [...new Set(parents)].map(String) }
  })
}

const graphOf = (history: readonly Node[]): Lanes => {
  const graph = new Lanes()
  for (const node of history) graph.add(node)
  return graph
}

const seeds = Array.from({ length: 400 }, (_, index) => index * 7_919 + 1)

test('every line leads from a commit to its parent, and past no other commit', () => {
  for (const seed of seeds) {
    const history = randomHistory(seed)
    const { ids, lanes, lines } = graphOf(history)
    assert.deepEqual(
      ids,
      history.map(({ id }) => id),
    )
    const led = lines.map(({ from, to }) => `${from} ${to}`).sort()
    const meant = history.flatMap(({ parents }, row) => parents.map(parent => `${row} ${Number(parent) < ids.length ? parent : undefined}`))
    assert.deepEqual(led, meant.sort(), `seed ${seed}`)
    for (const { from, fromLane, lane, to } of lines) {
      assert.equal(fromLane, lanes[from])
      if (to !== undefined) assert.equal(lane, lanes[to])
      for (let row = from + 1; row < (to ?? ids.length); row++) assert.notEqual(lanes[row], lane, `seed ${seed}, row ${row}`)
    }
  }
})

test('lines that lie on each other lead to the same commit', () => {
  for (const seed of seeds) {
    const history = randomHistory(seed)
    const { ids, lines } = graphOf(history)
    const parentsOf = history.map(({ parents }) => [...parents])
    const owners = new Map<string, string>()
    for (const { from, lane, to } of lines) {
      // Lines of one commit are in the order of its parents.
      const parent = parentsOf[from]?.shift() as string
      for (let row = from + 1; row < (to ?? ids.length); row++) {
        const place = `${row} ${lane}`
        assert.equal(owners.get(place) ?? parent, parent, `seed ${seed}, ${place}`)
        owners.set(place, parent)
      }
    }
  }
})

test('there are no more lanes than commits that are waited for, and one', () => {
  for (const seed of seeds) {
    const history = randomHistory(seed)
    const waiting = new Set<string>()
    let most = 0
    for (const { id, parents } of history) {
      most = Math.max(most, waiting.size + (waiting.has(id) ? 0 : 1))
      waiting.delete(id)
      for (const parent of parents) waiting.add(parent)
      most = Math.max(most, waiting.size)
    }
    const { lanes, lines } = graphOf(history)
    assert.ok(Math.max(...lanes, ...lines.map(({ lane }) => lane)) < most, `seed ${seed}`)
  }
})

test('pages draw what the whole graph draws', () => {
  for (const seed of seeds.slice(0, 100)) {
    const graph = graphOf(randomHistory(seed))
    const whole = drawnRows(graph, 0, 1_000, 8)
    const pages = Array.from({ length: 9 }, (_, page) => drawnRows(graph, page * 7, page * 7 + 7, 8)).flat()
    assert.deepEqual(pages, whole, `seed ${seed}`)
    for (const { lane, passing, leaving } of whole) assert.ok([lane, ...passing, ...leaving].every(at => at >= 0 && at < 8))
    // Each row goes on where the one above it ended.
    for (const [row, { lane, isReached, passing }] of whole.entries()) {
      const above = whole[row - 1]
      const from = new Set(above ? [...above.passing, ...above.leaving] : [])
      assert.deepEqual(new Set([...passing, ...(isReached ? [lane] : [])]), from, `seed ${seed}, row ${row}`)
    }
  }
})

test('a straight history has one lane; a merge has two until its branch began', () => {
  const rows = drawnRows(
    graphOf([
      { id: 'm', parents: ['b', 't'] },
      { id: 't', parents: ['a'] },
      { id: 'b', parents: ['a'] },
      { id: 'a', parents: ['r'] },
      { id: 'r', parents: [] },
    ]),
    0,
    100,
    8,
  )
  assert.deepEqual(rows, [
    { id: 'm', lane: 0, isReached: false, passing: [], leaving: [0, 1] },
    { id: 't', lane: 1, isReached: true, passing: [0], leaving: [1] },
    { id: 'b', lane: 0, isReached: true, passing: [1], leaving: [1] },
    { id: 'a', lane: 1, isReached: true, passing: [], leaving: [1] },
    { id: 'r', lane: 1, isReached: true, passing: [], leaving: [] },
  ])
})

test('ten thousand open branches are put into lanes and drawn soon', () => {
  const begun = performance.now()
  const graph = graphOf(Array.from({ length: 10_000 }, (_, row) => ({ id: `c${row}`, parents: [`p${row}`, `q${row % 100}`] })))
  assert.equal(drawnRows(graph, 9_900, 10_000, 20).length, 100)
  assert.ok(performance.now() - begun < 1_000)
})
