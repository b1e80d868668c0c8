/** Menus are `details`: they open without a script. With one they also close, by Escape, a click elsewhere, and before a page is left. */

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')

document.addEventListener('click', event => {
  for (const menu of openMenus()) if (!menu.contains(event.target as Node)) menu.open = false
})

document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  for (const menu of openMenus()) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})

// Who opens a menu with a field to search in goes on by typing. It comes after the key of the menu, which moves the focus to its button.
document.addEventListener(
  'toggle',
  event => {
    const menu = event.target as HTMLElement
    if (menu.matches('details.menu[open]')) menu.querySelector<HTMLElement>('[data-menu-field]')?.focus()
  },
  true,
)

// What a menu loaded when it was opened before may have changed.
document.addEventListener(
  'toggle',
  event => {
    const menu = event.target as HTMLElement
    if (!menu.matches('details.side-menu[open]')) return
    const frame = menu.querySelector<HTMLElement & { reload(): Promise<void> }>('turbo-frame[complete]')
    if (frame && !frame.querySelector('[aria-invalid]')) void frame.reload()
  },
  true,
)

document.addEventListener('turbo:before-cache', () => {
  for (const menu of openMenus()) menu.open = false
})

export {}
