const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'] as const

/** A small count as it begins a sentence: `Three`; figures above ten. */
export function inWords(count: number): string {
  return WORDS[count] ?? String(count)
}
