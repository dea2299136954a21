//! Compares expectations about strings, cavities, liberties and distances with the findings.

use super::{GoExpectation, NONE};
use crate::record::expectation::Differences;
use crate::record::go::Analysed;
use crate::scene::Expect;
use crate::scene::expect::Reading;
use tengen_core::Diagnostic;
use tengen_go::board::{Board, Vertex};
use tengen_go::tactics::Code;
use tengen_go::worms::Worm;

impl GoExpectation<'_> {
    /// Compares `Worm`.
    pub(super) fn compare_worm(
        &self,
        analysed: &Analysed,
        differences: &mut Differences,
    ) -> Result<(), Diagnostic> {
        let Expect::Worm { at, .. } = self.expect else { return Ok(()) };
        let v = self.vertex(analysed.input, at)?;
        let worms = analysed.worms().ok_or_else(|| self.missing("Worms"))?;
        let Some(worm) = worms.get(v) else { return Err(self.missing("Worms")) };
        let board = &analysed.input.position.board;
        compare_fields(board, worm, self.expect, differences);
        if let Expect::Worm { lunch, .. } = self.expect
            && !self.is_same(analysed, lunch.as_ref(), worm.lunch, |a, b| board.same_string(a, b))?
        {
            let found = worm.lunch.map_or_else(|| NONE.to_owned(), |v| v.to_gtp(board.size()));
            differences.say(format!("lunch is {found}"));
        }
        self.compare_reading(analysed, v, differences)
    }

    /// Compares `attack` and `defend` of a worm.
    fn compare_reading(
        &self,
        analysed: &Analysed,
        v: Vertex,
        differences: &mut Differences,
    ) -> Result<(), Diagnostic> {
        let Expect::Worm { attack, defend, .. } = self.expect else { return Ok(()) };
        if attack.is_none() && defend.is_none() {
            return Ok(());
        }
        let tactics = analysed.tactics().ok_or_else(|| self.missing("Tactics"))?;
        let Some(read) = tactics.at(&analysed.input.position.board, v) else {
            differences.say("there is no stone to attack");
            return Ok(());
        };
        let asked = [
            ("attack", attack, read.attack, read.attack_point),
            ("defend", defend, read.defense, read.defense_point),
        ];
        for (name, wanted, found, played) in asked {
            let Some(wanted) = wanted else { continue };
            let (code, points) = match wanted {
                Reading::Fail => (Code::Fail, "*"),
                Reading::Win(at) => (Code::Win, at.as_str()),
                Reading::KoA(at) => (Code::KoA, at.as_str()),
                Reading::KoB(at) => (Code::KoB, at.as_str()),
            };
            differences.field(name, Some(code), found);
            let mut fits = points == "*";
            for point in points.split('|').filter(|&p| p != "*") {
                fits |= self.vertex(analysed.input, point)? == played;
            }
            if !fits && found == code {
                let played = played.to_gtp(analysed.input.position.board.size());
                differences.say(format!("{name} plays {played}, not {points}"));
            }
        }
        Ok(())
    }

    /// Compares `Liberties`.
    pub(super) fn compare_liberties(
        &self,
        analysed: &Analysed,
        differences: &mut Differences,
    ) -> Result<(), Diagnostic> {
        let Expect::Liberties { of, order, are } = self.expect else { return Ok(()) };
        let board = &analysed.input.position.board;
        let at = |name: &str| self.vertex(analysed.input, name);
        let worms = analysed.worms().ok_or_else(|| self.missing("Worms"))?;
        let mut wanted = are.iter().map(|name| at(name)).collect::<Result<Vec<Vertex>, _>>()?;
        wanted.sort_unstable();
        let by_order = tengen_go::worms::by_order(board, worms, at(of)?);
        let found = order.checked_sub(1).and_then(|i| by_order.get(i));
        let found = found.ok_or_else(|| self.no_such_order(*order))?;
        let names = |of: &[Vertex]| of.iter().map(|v| v.to_gtp(board.size())).collect::<Vec<_>>().join(" ");
        differences.field(&format!("order {order}"), Some(names(&wanted)), names(found));
        Ok(())
    }

    /// Compares `Distance`.
    pub(super) fn compare_distance(
        &self,
        analysed: &Analysed,
        differences: &mut Differences,
    ) -> Result<(), Diagnostic> {
        let Expect::Distance { at, to, distance, strategic } = self.expect else { return Ok(()) };
        let v = self.vertex(analysed.input, at)?;
        let board = &analysed.input.position.board;
        let found = |strategic| i32::from(tengen_go::escape::distances(board, *to, strategic)[v.at()]);
        differences.field("distance", *distance, found(false));
        differences.field("strategic distance", *strategic, found(true));
        Ok(())
    }
}

/// Compares the measurements of a string or cavity.
fn compare_fields(board: &Board, worm: &Worm, expect: &Expect, differences: &mut Differences) {
    let Expect::Worm {
        color,
        size,
        effective_size,
        origin,
        liberties,
        cutstone,
        cutstone2,
        genus,
        ko,
        inessential,
        ..
    } = expect
    else {
        return;
    };
    differences.field("color", *color, worm.color);
    differences.field("size", *size, worm.size.into());
    differences.near("effective_size", *effective_size, worm.effective_size, 0.005);
    differences.field("origin", origin.clone(), worm.origin.to_gtp(board.size()));
    if let Some(liberties) = liberties {
        let found: Vec<usize> = worm.liberties.iter().take(liberties.len()).map(|&n| n.into()).collect();
        differences.field("liberties", Some(liberties.clone()), found);
    }
    differences.field("cutstone", *cutstone, worm.cutstone);
    differences.field("cutstone2", *cutstone2, worm.cutstone2);
    differences.field("genus", *genus, worm.genus.into());
    differences.field("ko", *ko, worm.ko);
    differences.field("inessential", *inessential, worm.inessential);
}
