import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Port } from './port.ts'

test('a port has the value that it was provided with, once', () => {
  const port = new Port<number>('example')

  assert.throws(() => port.value, /port example is not provided/)
  port.provide(1)
  assert.equal(port.value, 1)
  assert.throws(() => port.provide(2), /port example is provided twice/)
})
