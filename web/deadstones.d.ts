export type Sign = -1 | 0 | 1
export type Vertex = [x: number, y: number]
export type Board = Sign[][]

export function useFetch(path: string): void
export function guess(data: Board, options?: { finished?: boolean; iterations?: number }): Promise<Vertex[]>
export function getProbabilityMap(data: Board, iterations: number): Promise<number[][]>
export function playTillEnd(data: Board, sign: -1 | 1): Promise<Board>
export function getFloatingStones(data: Board): Promise<Vertex[]>

declare const deadstones: {
  useFetch: typeof useFetch
  guess: typeof guess
  getProbabilityMap: typeof getProbabilityMap
  playTillEnd: typeof playTillEnd
  getFloatingStones: typeof getFloatingStones
}
export default deadstones
