import { BOOK_VERSIONS, bookOfVersion } from '@sluice/providers/prices/book'

/** Prints the named or current price book as JSON; returns the exit code. */
export async function printPriceBook(version: string | undefined, print: (text: string) => void): Promise<number> {
  const [current = ''] = BOOK_VERSIONS
  const book = await bookOfVersion(version ?? current)
  print(
    book === undefined
      ? `There is no price book ${version}. The price books are ${BOOK_VERSIONS.join(', ')}.`
      : JSON.stringify(book),
  )
  return book === undefined ? 1 : 0
}
