/**
 * Loaded before each test file (run.ts): node:test learns which test a piece of code belongs to without looking at every promise.
 *
 * It subscribes to the beginning and the end of every asynchronous resource, each promise included, and keeps a map of them; the server
 * under test lives in the same process, and pays a sixth of its time for that, a third where it does nothing but answer. Node's own
 * AsyncLocalStorage knows the same for nothing. So what node:test takes from `node:async_hooks` while it is loaded follows its tests by
 * one; nobody else sees the difference. following.test.ts holds it to what node:test does by itself.
 */
import asyncHooks, { AsyncLocalStorage, AsyncResource, type HookCallbacks } from 'node:async_hooks'

const { createHook, executionAsyncId } = asyncHooks

/** The id of the test, suite or hook that runs. */
const running = new AsyncLocalStorage<number>()

let begun: HookCallbacks['init']

/** What tests, suites and hooks are made of. */
class Followed extends AsyncResource {
  constructor(...[type, options]: ConstructorParameters<typeof AsyncResource>) {
    super(type, options)
    begun?.(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: never[]) => Result,
    thisArg?: This,
    ...args: Parameters<typeof work>
  ): Result {
    const call = () => Reflect.apply(work, thisArg as This, args)
    // Inside: the resource's own scope is that of the code which declared the test.
    return super.runInAsyncScope(() => running.run(this.asyncId(), call))
  }
}

const following = {
  AsyncResource: Followed,
  executionAsyncId: () => running.getStore() ?? 0,
  createHook: ({ init }: HookCallbacks) => ({
    enable: () => {
      begun = init
    },
    disable: () => {
      begun = undefined
    },
  }),
}

Object.assign(asyncHooks, following)
await import('node:test')
Object.assign(asyncHooks, { AsyncResource, executionAsyncId, createHook })
