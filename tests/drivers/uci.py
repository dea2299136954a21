"""Drives the engine named on the command line over UCI by python-chess, and checks what it answers.

Ends with `ok` and status 0; a failed check is a traceback and status 1.
"""

import sys

import chess
import chess.engine


def check_best_moves_are_legal(engine):
    board = chess.Board()
    for limit in (
        chess.engine.Limit(depth=4),
        chess.engine.Limit(nodes=3000),
        chess.engine.Limit(time=0.05),
        chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01),
        chess.engine.Limit(white_clock=2, black_clock=2, remaining_moves=5),
    ):
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves, (board.fen(), result.move)
        assert result.info["score"] is not None
        board.push(result.move)


def check_a_long_history_is_known(engine):
    # The position has stood twice; a move back to one that has stood twice as well would be the third time.
    board = chess.Board("7k/8/8/8/8/8/1R6/Q3K3 w - - 0 1")
    for uci in ["e1e2", "h8h7", "e2e1", "h7h8", "e1e2", "h8h7", "e2e1", "h7h8"]:
        board.push_uci(uci)
    result = engine.play(board, chess.engine.Limit(nodes=20000), info=chess.engine.INFO_SCORE)
    board.push(result.move)
    assert not board.is_repetition(3), result.move
    assert result.info["score"].relative.is_mate(), result.info


def check_mates_are_reported(engine):
    info = engine.analyse(chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"), chess.engine.Limit(mate=2, depth=12))
    assert info["score"].relative == chess.engine.Mate(2), info


def check_several_lines(engine):
    infos = engine.analyse(chess.Board(), chess.engine.Limit(depth=5), multipv=3)
    assert len(infos) == 3 and len({info["pv"][0] for info in infos}) == 3, infos
    scores = [info["score"].relative.score(mate_score=30000) for info in infos]
    assert scores == sorted(scores, reverse=True), scores


def check_chess960_castling(engine):
    board = chess.Board("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1", chess960=True)
    for _ in range(6):
        result = engine.play(board, chess.engine.Limit(nodes=1500))
        assert result.move in board.legal_moves
        board.push(result.move)


def check_a_stopped_analysis_answers(engine):
    with engine.analysis(chess.Board(), chess.engine.Limit()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
        analysis.stop()
        assert analysis.wait().move is not None


def check_pondering_and_options(engine):
    engine.configure({"Hash": 2, "Threads": 2, "RepetitionScheme": "shadow", "RepetitionPolicy": "A"})
    board = chess.Board()
    result = engine.play(board, chess.engine.Limit(time=0.05), ponder=True)
    board.push(result.move)
    if result.ponder:
        board.push(result.ponder)
    assert engine.play(board, chess.engine.Limit(time=0.05)).move in board.legal_moves
    engine.configure({"Threads": 1, "RepetitionScheme": "exact", "RepetitionPolicy": "B"})


def main():
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1:], timeout=60) as engine:
        assert engine.id["name"].startswith("Tengen")
        check_best_moves_are_legal(engine)
        check_a_long_history_is_known(engine)
        check_mates_are_reported(engine)
        check_several_lines(engine)
        check_chess960_castling(engine)
        check_a_stopped_analysis_answers(engine)
        check_pondering_and_options(engine)
        engine.ping()
    print("ok")


main()
