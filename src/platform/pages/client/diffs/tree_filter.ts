/** Shows the files of the tree in whose paths what is typed occurs; the folders of the others are hidden, and those of these are opened. */
export function filterTree(viewer: HTMLElement, event: Event): void {
  const field = event.target as HTMLInputElement
  const tree = field.closest('[data-tree-filter]')?.parentElement
  if (!tree || !viewer.contains(tree)) return
  const words = field.value.trim().toLowerCase().split(/\s+/)
  const isMeant = (path: string) => words.every(word => path.includes(word))
  let found = 0
  for (const leaf of tree.querySelectorAll<HTMLElement>('li[data-path]')) {
    leaf.hidden = !isMeant((leaf.dataset.path ?? '').toLowerCase())
    if (!leaf.hidden) found++
  }
  for (const folder of [...tree.querySelectorAll<HTMLElement>('li:not([data-path])')]) {
    folder.hidden = !folder.querySelector('li[data-path]:not([hidden])')
    const details = folder.querySelector<HTMLDetailsElement>(':scope > details')
    if (details && field.value !== '' && !folder.hidden) details.open = true
  }
  const status = tree.querySelector('[role=status]')
  if (status) status.textContent = field.value === '' ? '' : `${found} found`
}
