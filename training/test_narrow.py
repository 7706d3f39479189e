"""How a layer is made narrower inside."""

import unittest

import torch

from narrow import choose_columns


class Narrowing(unittest.TestCase):
    def test_what_repeats_another_input_goes_first_and_nothing_is_lost_by_it(self):
        generator = torch.Generator().manual_seed(2)
        rows = torch.randn(400, 6, generator=generator, dtype=torch.float64)
        rows = torch.cat([rows, rows[:, :2]], 1)
        weight = torch.randn(3, 8, generator=generator, dtype=torch.float64)
        kept, fitted = choose_columns(rows.T @ rows / 400, weight, 6)
        self.assertEqual(int(kept[[0, 6]].sum()), 1)
        self.assertEqual(int(kept[[1, 7]].sum()), 1)
        torch.testing.assert_close(rows @ fitted.T, rows @ weight.T, atol=2e-2, rtol=0)
        self.assertTrue((fitted[:, ~kept] == 0).all())


if __name__ == "__main__":
    unittest.main()
