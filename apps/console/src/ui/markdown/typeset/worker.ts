import type { Colouring } from './colouring.ts'
import type { Typeset, TypesetOrder } from './typesetter.ts'

/** Grammars and formulas run in this worker: they block neither reading nor typing, and the page can terminate them. */
function answerOrders(): void {
  let colouring: Promise<Colouring> | undefined

  async function typeset(order: TypesetOrder): Promise<Typeset> {
    if (order.kind === 'maths') {
      const { formulaOf } = await import('./formula-tree.ts')
      const root = formulaOf(order.text, order.display)
      return root && { kind: 'maths', root }
    }
    colouring ??= import('./colouring.ts').then(({ createColouring }) => createColouring())
    const runs = await (await colouring).runsOf(order.language, order.text)
    return runs && { kind: 'code', runs }
  }

  addEventListener('message', (event: MessageEvent<TypesetOrder>) => {
    void typeset(event.data).then(
      (answer) => postMessage(answer),
      () => postMessage(undefined),
    )
  })
}

answerOrders()
